import {
  type Identity,
  type NetWorthHistory,
  type OneWalletGroup,
  type ProblemBody,
  newId,
} from '@plimsoll/contracts';
import { type QueryPlan, planNodes, rowsRead } from '@plimsoll/testing';
import { SnapshotPartitions } from '../src/analytics/snapshot-partitions';
import { knownSql, samplesSql } from '../src/history/history.repository';
import { ServiceFixture, identityOf } from './service-fixture';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date();
/** Start of the present hour. */
const HOUR = new Date(Math.floor(NOW.getTime() / HOUR_MS) * HOUR_MS);
const hoursAgo = (hours: number, minutes = 0): Date =>
  new Date(HOUR.getTime() - hours * HOUR_MS + minutes * 60_000);
const wad = (value: number): string => (BigInt(Math.round(value * 1e6)) * 10n ** 12n).toString();

let wallets = 0;
const newWallet = (): string => `0x${(0xfeed00 + (wallets += 1)).toString(16).padStart(40, '0')}`;

jest.setTimeout(30_000);

describe('histories of net worth and health factor', () => {
  let service: ServiceFixture;

  beforeAll(async () => {
    service = await ServiceFixture.withoutNode();
    await service.start();
    const partitions = service.part(SnapshotPartitions);
    for (let days = 0; days < 400; days += 30) await partitions.make(new Date(NOW.getTime() - days * DAY_MS));
  }, 60_000);
  afterAll(() => service.close(), 30_000);

  /** A wallet that the account watches since then. */
  async function watched(as: Identity, since = hoursAgo(2_400), groups: string[] = []): Promise<string> {
    const address = newWallet();
    await service.pool.query(
      `INSERT INTO watched_wallets (account_id, address, watched_since, group_ids) VALUES ($1, $2, $3, $4)`,
      [as.accountId, address, since, groups],
    );
    return address;
  }

  /** A position with a snapshot at each moment: [time, net worth, health factor]. */
  async function position(
    wallet: string,
    snapshots: readonly [Date, number | null, number | null][],
    { closedAt = null as Date | null, firstSeen = snapshots[0]?.[0] ?? NOW } = {},
  ): Promise<string> {
    const id = newId('pos');
    await service.pool.query(`INSERT INTO position_keys VALUES ($1, 'aave-v3', 1, 'core', $1, $2, $3)`, [
      id,
      wallet,
      firstSeen,
    ]);
    await service.pool.query(
      `INSERT INTO positions (id, sequence, wallet, chain_id, block, closed, event, updated_at)
       VALUES ($1, 1, $2, 1, 1, $3, '{}', $4)`,
      [id, wallet, closedAt !== null, closedAt ?? firstSeen],
    );
    for (const [at, worth, factor] of snapshots)
      await service.pool.query(
        `INSERT INTO position_snapshots VALUES ($1, $2, $3, 7, $4, $5, $6, 8, 1000000000000000000, $7)`,
        [
          wallet,
          at,
          id,
          factor === null ? null : wad(factor),
          factor === null ? 0 : 200,
          factor === null ? 0 : 100,
          worth === null ? null : wad(worth),
        ],
      );
    return id;
  }
  const get = (as: Identity, path: string) =>
    service.call<NetWorthHistory & ProblemBody>('GET', `/v1/${path}`, as);
  const points = async (as: Identity, path: string): Promise<unknown[][]> => {
    const { status, body } = await get(as, path);
    expect(status).toBe(200);
    return body.history.map(({ at, netWorthUsd, lowestHealthFactor, gap }) => [
      (HOUR.getTime() - Date.parse(at)) / HOUR_MS,
      netWorthUsd,
      lowestHealthFactor,
      gap,
    ]);
  };

  it('of a position: each hour, with the last net worth and the lowest health factor, and with gaps', async () => {
    const me = identityOf('business');
    const wallet = await watched(me, hoursAgo(5, 30));
    const id = await position(
      wallet,
      [
        [hoursAgo(9), 50, 3],
        [hoursAgo(5, 10), 60, 3],
        [hoursAgo(5, 40), 100.5, 2],
        [hoursAgo(3, 1), 120, 1.5],
        [hoursAgo(3, 59), 110, 1.75],
        [hoursAgo(1, 10), 0, null],
      ],
      { closedAt: hoursAgo(1, 10) },
    );
    const expected = [
      [0, 0, null, null],
      [1, 0, null, null],
      [2, null, null, 'no_samples'],
      [3, 110, 1.5, null],
      [4, null, null, 'no_samples'],
      [5, 100.5, 2, null],
    ];
    expect(await points(me, `positions/${id}/history`)).toEqual(expected);
    expect(await points(me, `wallets/${wallet.toUpperCase().replace('0X', '0x')}/history`)).toEqual(expected);
    expect(
      await points(
        me,
        `positions/${id}/history?since=${hoursAgo(3, 5).toISOString()}&until=${hoursAgo(2).toISOString()}`,
      ),
    ).toEqual([[3, 110, 1.5, null]]);
    const url = `/v1/positions/${id}/history?limit=4&fields=at,netWorthUsdRaw,lowestHealthFactorRaw`;
    const { body } = await service.undocumented<NetWorthHistory>('GET', url, { as: me });
    expect(body).toMatchObject({ count: 4, bucket: 'hour', maxDays: 90 });
    expect(body.history[3]).toEqual({
      at: hoursAgo(3).toISOString(),
      netWorthUsdRaw: wad(110),
      lowestHealthFactorRaw: wad(1.5),
    });
    expect(await points(me, `positions/${id}/history?limit=4&cursor=${body.nextCursor}`)).toEqual(
      expected.slice(4),
    );
  });

  it('by day, and a page that begins in the middle knows which positions were open', async () => {
    const me = identityOf('business');
    const wallet = await watched(me);
    const day = Math.floor(NOW.getTime() / DAY_MS) * DAY_MS;
    const at = (days: number, hours: number): Date => new Date(day - days * DAY_MS + hours * HOUR_MS);
    await position(wallet, [
      [at(3, 1), 10, 2],
      [at(3, 5), 20, 1.2],
      [at(2, 1), 30, 1.4],
      [at(1, 23), 40, 1.6],
    ]);
    await position(wallet, [
      [at(3, 2), 1, null],
      [at(1, 2), 2, null],
    ]);
    const shown = async (query: string) => {
      const { body } = await get(me, `wallets/${wallet}/history?bucket=day${query}`);
      return body.history.map(({ at: start, netWorthUsd, lowestHealthFactor, positionsMissing, gap }) => [
        (day - Date.parse(start)) / DAY_MS,
        netWorthUsd,
        lowestHealthFactor,
        positionsMissing,
        gap,
      ]);
    };
    const found = [
      [1, 42, 1.6, 0, null],
      [2, null, null, 1, 'positions_missing'],
      [3, 21, 1.2, 0, null],
    ];
    const range = `&since=${at(3, 0).toISOString()}&until=${at(0, 0).toISOString()}`;
    expect(await shown(range)).toEqual(found);
    const { body } = await get(me, `wallets/${wallet}/history?bucket=day${range}&limit=1`);
    const second = await get(
      me,
      `wallets/${wallet}/history?bucket=day${range}&limit=1&cursor=${body.nextCursor}`,
    );
    expect(second.body.history).toMatchObject([{ positionsMissing: 1, gap: 'positions_missing' }]);
  });

  it('of a group and of the account: each wallet counts since the account watches it', async () => {
    const [me, other] = [identityOf('business'), identityOf('business')];
    const { body } = await service.call<OneWalletGroup>('POST', '/v1/wallet-groups', me, { name: 'Desk' });
    const { id } = body.walletGroup;
    const [first, second] = [await watched(me, hoursAgo(2, 5), [id]), await watched(me, hoursAgo(1, 5))];
    await service.pool.query(
      `INSERT INTO watched_wallets (account_id, address, watched_since) VALUES ($1, $2, $3)`,
      [other.accountId, second, hoursAgo(9)],
    );
    await position(first, [
      [hoursAgo(2, 10), 10, 2],
      [hoursAgo(1, 10), 11, 1.9],
      [hoursAgo(0), 12, 1.8],
    ]);
    await position(second, [
      [hoursAgo(5), 3, 4],
      [hoursAgo(2, 10), 4, 4],
      [hoursAgo(1, 10), 5, 1.1],
      [hoursAgo(0), 6, 4],
    ]);
    expect(await points(me, `wallet-groups/${id}/history`)).toEqual([
      [0, 12, 1.8, null],
      [1, 11, 1.9, null],
      [2, 10, 2, null],
    ]);
    expect(await points(me, 'analytics/history')).toEqual([
      [0, 18, 1.8, null],
      [1, 16, 1.1, null],
      [2, 10, 2, null],
    ]);
    expect(await points(identityOf('business'), 'analytics/history')).toEqual([]);
    expect((await get(other, `wallet-groups/${id}/history`)).status).toBe(404);
  });

  it('404 for what the account does not watch, also when another account does', async () => {
    const [me, other] = [identityOf('business'), identityOf('business')];
    const wallet = await watched(other);
    const id = await position(wallet, [[hoursAgo(1), 1, 2]]);
    const disabled = await watched(me);
    await service.pool.query('UPDATE watched_wallets SET enabled = false WHERE address = $1', [disabled]);
    for (const path of [
      `positions/${id}`,
      `positions/${newId('pos')}`,
      'positions/pos_x',
      `wallets/${wallet}`,
      `wallets/${disabled}`,
      `wallet-groups/${newId('wgr')}`,
    ])
      expect([path, (await get(me, `${path}/history`)).status]).toEqual([path, 404]);
  });

  it.each([
    ['bucket=week', 'bucket', 'is_in'],
    ['since=yesterday', 'since', 'is_moment'],
    ['until=2020-01-01&since=2020-01-02', 'until', 'out_of_range'],
    [`since=${new Date(NOW.getTime() + DAY_MS).toISOString()}`, 'until', 'out_of_range'],
    [`since=${new Date(NOW.getTime() - 91 * DAY_MS).toISOString()}`, 'since', 'tier_limit_exceeded'],
    ['cursor=abc', 'cursor', 'invalid_cursor'],
    ['limit=201', 'limit', 'max'],
    ['from=1', 'from', 'unknown_parameter'],
    ['fields=at,hf', 'fields', 'unknown_field'],
  ])('400 for %s', async (query, field, code) => {
    const me = identityOf('business');
    const wallet = await watched(me);
    const { status, body } = await get(me, `wallets/${wallet}/history?${query}`);
    expect([status, body.errors?.[0]?.field, body.errors?.[0]?.code]).toEqual([400, field, code]);
  });

  it('any cursor of the right form is a page', async () => {
    const me = identityOf('business');
    const wallet = await watched(me);
    for (const place of [0, 7, 253_402_300_799_999]) {
      const cursor = Buffer.from(JSON.stringify([place])).toString('base64url');
      expect((await get(me, `wallets/${wallet}/history?cursor=${cursor}`)).status).toBe(200);
    }
  });

  it('reads only snapshots of the range and of the wallets, and fewer buckets of many wallets', async () => {
    const me = identityOf('enterprise');
    await service.pool.query(
      `INSERT INTO watched_wallets (account_id, address, watched_since)
       SELECT CASE WHEN n <= 500 THEN $1 ELSE 'acc_other' END, '0xbeef' || lpad(n::text, 36, '0'), $2
       FROM generate_series(1, 2000) AS n`,
      [me.accountId, hoursAgo(1_000)],
    );
    await service.pool.query(
      `INSERT INTO position_keys SELECT 'pos_' || lpad('many' || n, 22, '0'), 'aave-v3', 1, 'core', n,
         '0xbeef' || lpad(n::text, 36, '0'), $1 FROM generate_series(1, 2000) AS n`,
      [hoursAgo(1_000)],
    );
    await service.pool.query(
      `INSERT INTO positions (id, sequence, wallet, chain_id, block, closed, event)
       SELECT 'pos_' || lpad('many' || n, 22, '0'), 1, '0xbeef' || lpad(n::text, 36, '0'), 1, 1, false, '{}'
       FROM generate_series(1, 2000) AS n`,
    );
    await service.pool.query(
      `INSERT INTO position_snapshots SELECT '0xbeef' || lpad(n::text, 36, '0'), $1::timestamptz - h * interval '1 hour',
         'pos_' || lpad('many' || n, 22, '0'), 7, 1500000000000000000, 200, 100, 8, 1, 7
       FROM generate_series(1, 2000) AS n, generate_series(0, 249) AS h`,
      [hoursAgo(0, 0)],
    );
    await service.pool.query('ANALYZE position_snapshots, positions, position_keys, watched_wallets');
    const page = await get(me, 'analytics/history?limit=200');
    expect(page.body.count).toBe(100);
    expect(page.body.history[0]).toMatchObject({
      samples: 500,
      positions: 500,
      netWorthUsdRaw: '3500',
      gap: null,
    });
    const scope = { accountId: me.accountId, address: null, groupId: null, positionId: null };
    const ofOne = { ...scope, address: `0xbeef${'7'.padStart(36, '0')}` };
    const range = [hoursAgo(9), hoursAgo(-1)] as const;
    for (const [{ text, values }, most] of [
      [samplesSql(ofOne, ...range, 'hour'), 100],
      [knownSql(ofOne, ...range), 100],
      [samplesSql(scope, ...range, 'hour'), 20_000],
      [knownSql(scope, ...range), 20_000],
    ] as const) {
      const [plan] = await service.query<{ 'QUERY PLAN': [{ Plan: QueryPlan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      const nodes = planNodes(plan!['QUERY PLAN'][0].Plan);
      // Those of all accounts: positions, their keys and their snapshots.
      const ofPositions = nodes.filter(
        (node) => node['Relation Name']?.startsWith('position') && rowsRead(node) > 0,
      );
      expect(ofPositions.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(Math.max(...nodes.map(rowsRead))).toBeLessThan(most);
    }
  }, 120_000);
});
