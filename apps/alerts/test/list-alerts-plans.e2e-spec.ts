import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { derivedId } from '@plimsoll/contracts';
import { migrate } from '@plimsoll/service-kit';
import {
  type QueryPlan,
  type TestDatabase,
  createTestDatabase,
  planNodes,
  rowsRead,
} from '@plimsoll/testing';
import { Client } from 'pg';
import { type AlertFilter, WALLETS_OF_GROUP, listSql } from '../src/lifecycle/list-alerts.repository';

jest.setTimeout(300_000);

const MIGRATIONS = path.join(__dirname, '../prisma/migrations');
const ROWS = 1_000_000;
const PAGE = 51;
/** Rows that a page may read. A list without an index would read the half million of the account. */
const MOST_READ = 2_000;
const ACCOUNT = derivedId('acc', 'large');
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const POSITION = derivedId('pos', 'rare');

/** Half of the alerts belong to one account. One in ten thousand of them has the rare values. */
const FILL = `
INSERT INTO alerts (id, account_id, position_id, type, severity, title, message, confidence_score, created_at,
  resolved_at, content, silence)
SELECT 'alt_' || lpad(n::text, 22, '0'),
  CASE WHEN n % 2 = 0 THEN $1 ELSE 'acc_' || lpad((n % 1000)::text, 22, '0') END,
  CASE WHEN rare THEN $2 ELSE 'pos_' || lpad((n % 5000)::text, 22, '0') END,
  CASE WHEN rare THEN 'oracle_stale' ELSE 'health_factor_warning' END,
  CASE WHEN rare THEN 'critical' ELSE 'high' END,
  'title', 'message', 0.9, now() - (${ROWS} - n) * interval '1 second', now(),
  jsonb_build_object(
    'wallet', CASE WHEN rare THEN $3 ELSE '0x' || lpad((n % 5000)::text, 40, '0') END,
    'protocol', CASE WHEN rare THEN 'compound-v3' ELSE 'aave-v3' END,
    'chainId', CASE WHEN rare THEN 8453 ELSE 1 END),
  CASE WHEN rare THEN 'muted' END
FROM (SELECT n, n % 10000 = 0 AS rare FROM generate_series(1, ${ROWS}) AS n) AS numbered`;

describe(`the plans of GET /v1/alerts with ${ROWS} alerts`, () => {
  let database: TestDatabase;
  let client: Client;
  let writer: Client;
  const earlier = mkdtempSync(path.join(tmpdir(), 'migrations-'));
  const written: number[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    for (const name of readdirSync(MIGRATIONS))
      if (!/^2026112609\d+_alerts_of_/.test(name))
        cpSync(path.join(MIGRATIONS, name), path.join(earlier, name), { recursive: true });
    await migrate(database.url, 'alerts', earlier);
    [client, writer] = [new Client(database.url), new Client(database.url)];
    for (const each of [client, writer]) {
      await each.connect();
      await each.query('SET search_path TO alerts');
    }
    await client.query(FILL, [ACCOUNT, POSITION, WALLET]);
    await writer.query("SET lock_timeout TO '500ms'");
  });

  afterAll(async () => {
    rmSync(earlier, { recursive: true });
    await client?.end();
    await writer?.end();
    await database?.drop();
  });

  it('the indexes are built while alerts are written', async () => {
    const building = new AbortController();
    const writing = (async () => {
      while (!building.signal.aborted) {
        const startedMs = performance.now();
        await writer.query('UPDATE alerts SET updated_at = now() WHERE id = $1', [
          `alt_${'1'.padStart(22, '0')}`,
        ]);
        written.push(performance.now() - startedMs);
      }
    })();
    const applied = await migrate(database.url, 'alerts', MIGRATIONS);
    building.abort();
    await writing;
    expect(applied.filter((name) => name.includes('alerts_of_'))).toHaveLength(6);
    expect(written.length).toBeGreaterThan(100);
    await client.query('ANALYZE alerts');
  });

  it.each<[string, AlertFilter]>([
    ['no filter', {}],
    ['a common severity', { severity: 'high' }],
    ['a rare severity', { severity: 'critical' }],
    ['a severity without alerts', { severity: 'info' }],
    ['a common type', { type: 'health_factor_warning' }],
    ['a rare type', { type: 'oracle_stale' }],
    ['a wallet', { wallet: WALLET }],
    ['a wallet without alerts', { wallet: `0x${'9'.repeat(40)}` }],
    ['a common protocol', { protocol: 'aave-v3' }],
    ['a rare protocol', { protocol: 'compound-v3' }],
    ['a common chain', { chainId: 1 }],
    ['a rare chain', { chainId: 8453 }],
    ['a position', { positionId: POSITION }],
    ['the last hour', { since: new Date(Date.now() - 3_600_000).toISOString() }],
    ['muted alerts', { silence: 'muted' }],
    ['snoozed alerts', { silence: 'snoozed' }],
    ['alerts without a silence', { silence: 'none' }],
    ['active alerts', { status: 'active' }],
    ['resolved alerts', { status: 'resolved' }],
    [
      'several filters',
      { severity: 'critical', type: 'oracle_stale', protocol: 'compound-v3', chainId: 8453 },
    ],
    ['active alerts of a wallet', { status: 'active', wallet: WALLET }],
  ])('read few rows for %s', async (_, filter) => {
    const { text, values } = listSql(ACCOUNT, filter, null, PAGE);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: QueryPlan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    const nodes = planNodes(rows[0]!['QUERY PLAN'][0].Plan);
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(Math.max(...nodes.map(rowsRead))).toBeLessThan(MOST_READ);
  });

  it('read few rows for the wallets of a group', async () => {
    const group = `wgr_${'1'.repeat(22)}`;
    await client.query(
      `INSERT INTO watches (wallet, account_id, watching, changed_at, group_ids)
       SELECT '0x' || lpad(n::text, 40, '0'), $1, true, now(), CASE WHEN n % 1000 = 0 THEN jsonb_build_array($2::text) ELSE '[]' END
       FROM generate_series(1, 20000) AS n`,
      [ACCOUNT, group],
    );
    await client.query('ANALYZE watches');
    const wallets = Array.from({ length: 20 }, (_, at) => `0x${String(at * 100).padStart(40, '0')}`);
    for (const { text, values } of [
      { text: WALLETS_OF_GROUP, values: [ACCOUNT, group] },
      listSql(ACCOUNT, {}, null, PAGE, wallets),
      listSql(ACCOUNT, { severity: 'high' }, null, PAGE, [WALLET, ...wallets]),
    ]) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: QueryPlan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      const nodes = planNodes(rows[0]!['QUERY PLAN'][0].Plan);
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(Math.max(...nodes.map(rowsRead))).toBeLessThan(MOST_READ);
    }
  });
});
