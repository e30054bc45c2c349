import { join } from 'node:path';
import { migrate } from '@plimsoll/service-kit';
import { type TestDatabase, createTestDatabase } from '@plimsoll/testing';
import { Pool } from 'pg';
import { SnapshotPartitions } from '../src/analytics/snapshot-partitions';
import { SnapshotThinning } from '../src/analytics/snapshot-thinning';
import { monthPartition } from '../src/partitions/month-partitions';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const before = (ms: number): Date => new Date(NOW.getTime() - ms);

describe('old snapshots', () => {
  let database: TestDatabase;
  let pool: Pool;
  let partitions: SnapshotPartitions;
  let thinning: SnapshotThinning;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrate(database.url, 'positions', join(__dirname, '../prisma/migrations'));
    pool = new Pool({ connectionString: database.url, max: 3, options: '-c search_path=positions' });
    partitions = new SnapshotPartitions(pool);
    thinning = new SnapshotThinning(pool);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** Two positions, with a snapshot each at every one of the moments. */
  const write = async (moments: readonly Date[]): Promise<void> => {
    for (const moment of moments) await partitions.make(moment);
    for (const positionId of ['pos_1', 'pos_2'])
      await pool.query(
        `INSERT INTO position_snapshots (wallet, at, position_id, block, total_collateral_raw, total_debt_raw, base_decimals, usd_per_base_raw)
         SELECT '0xab', at, $1, 7, 1, 1, 8, 1 FROM unnest($2::timestamptz[]) AS at`,
        [positionId, moments],
      );
  };
  const minutesLeft = async (positionId: string, from: Date, to: Date): Promise<number[]> => {
    const { rows } = await pool.query<{ at: Date }>(
      'SELECT at FROM position_snapshots WHERE position_id = $1 AND at >= $2 AND at < $3 ORDER BY at',
      [positionId, from, to],
    );
    return rows.map(({ at }) => (at.getTime() - from.getTime()) / MINUTE_MS);
  };

  it('two instances create the partitions of a month at once', async () => {
    await Promise.all([partitions.make(NOW), new SnapshotPartitions(pool).make(NOW)]);
    const { rows } = await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = 'position_snapshots'::regclass ORDER BY 1`,
    );
    const months = [0, 1].map((ahead) => monthPartition('position_snapshots', NOW, ahead).name);
    expect(rows.map(({ name }) => name)).toEqual(months);
  });

  it('are reduced to one an hour after 7 days and one a day after 90, for each position', async () => {
    const hour = before(8 * DAY_MS);
    const day = new Date(Date.UTC(2026, 7, 1));
    const recent = before(6 * DAY_MS);
    const minutes = [0, 20, 40, 65, 90, 130];
    const at = (from: Date): Date[] => minutes.map((minute) => new Date(from.getTime() + minute * MINUTE_MS));
    await write([...at(hour), ...at(day), ...at(recent)]);

    expect(await thinning.run(NOW)).toBe(2 * (3 + 5));
    for (const positionId of ['pos_1', 'pos_2']) {
      expect(await minutesLeft(positionId, hour, before(7 * DAY_MS))).toEqual([40, 90, 130]);
      expect(await minutesLeft(positionId, day, new Date(day.getTime() + DAY_MS))).toEqual([130]);
      expect(await minutesLeft(positionId, recent, NOW)).toEqual(minutes);
    }
    expect(await thinning.run(NOW)).toBe(0);
  });

  it('continues after the last reduced row an hour later', async () => {
    const edge = before(7 * DAY_MS);
    await write([5, 25, 45].map((minute) => new Date(edge.getTime() + minute * MINUTE_MS)));
    expect(await thinning.run(NOW)).toBe(0);
    expect(await thinning.run(new Date(NOW.getTime() + 60 * MINUTE_MS))).toBe(2 * 2);
  });

  it('are not reduced while another instance does it', async () => {
    const other = await pool.connect();
    await other.query('BEGIN; SELECT FROM snapshot_thinning FOR UPDATE');
    expect(await thinning.run(new Date(NOW.getTime() + 2 * DAY_MS))).toBe(0);
    await other.query('ROLLBACK');
    other.release();
  });

  it('are dropped by month when its last day is beyond retention', async () => {
    await write([new Date('2025-11-20T00:00:00Z'), new Date('2025-10-31T23:00:00Z')]);
    await partitions.drop(NOW);
    const { rows } = await pool.query<{ at: Date }>(
      "SELECT DISTINCT at FROM position_snapshots WHERE at < '2026-01-01'",
    );
    expect(rows.map(({ at }) => at.toISOString())).toEqual(['2025-11-20T00:00:00.000Z']);
  });
});
