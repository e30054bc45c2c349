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
import { type EventListFilter, listSql } from '../src/events/events.repository';

jest.setTimeout(300_000);

const MIGRATIONS = path.join(__dirname, '../prisma/migrations');
const ROWS = 1_000_000;
const PAGE = 51;
/** Rows that a page may read. A list without an index would read the half million of the endpoint. */
const MOST_READ = 2_000;
const ACCOUNT = derivedId('acc', 'large');
const WEBHOOK = derivedId('wh', 'large');
const POSITION = derivedId('pos', 'rare');

/** Half of the deliveries belong to one endpoint. One in ten thousand of them has the rare values. */
const FILL = `
INSERT INTO deliveries (id, webhook_id, account_id, event_id, event, subject, body, state, created_at)
SELECT 'del_' || lpad(n::text, 22, 'A'),
  CASE WHEN n % 2 = 0 THEN $2 ELSE 'wh_' || lpad((n % 1000)::text, 22, '0') END,
  CASE WHEN n % 2 = 0 THEN $1 ELSE 'acc_' || lpad((n % 1000)::text, 22, '0') END,
  'evt_' || lpad(n::text, 22, '0'),
  CASE WHEN rare THEN 'alert.group' ELSE 'position.updated' END,
  CASE WHEN rare THEN $3 ELSE 'pos_' || lpad((n % 5000)::text, 22, '0') END,
  '{}', 'delivered', now() - (${ROWS} - n) * interval '1 second'
FROM (SELECT n, n % 10000 = 0 AS rare FROM generate_series(1, ${ROWS}) AS n) AS numbered`;

describe(`the plans of GET /v1/events with ${ROWS} deliveries`, () => {
  let database: TestDatabase;
  let client: Client;
  let writer: Client;
  const earlier = mkdtempSync(path.join(tmpdir(), 'migrations-'));

  beforeAll(async () => {
    database = await createTestDatabase();
    for (const name of readdirSync(MIGRATIONS))
      if (!/_deliveries_of_/.test(name))
        cpSync(path.join(MIGRATIONS, name), path.join(earlier, name), { recursive: true });
    await migrate(database.url, 'webhook_delivery', earlier);
    [client, writer] = [new Client(database.url), new Client(database.url)];
    for (const each of [client, writer]) {
      await each.connect();
      await each.query('SET search_path TO webhook_delivery');
    }
    await client.query(
      `INSERT INTO webhooks (id, account_id, url, events, secret_key_id, secret_sealed, created_at)
       VALUES ($1, $2, 'https://8.8.8.8/hook', '{}', 'test', '', now())`,
      [WEBHOOK, ACCOUNT],
    );
    await client.query(FILL, [ACCOUNT, WEBHOOK, POSITION]);
    await writer.query("SET lock_timeout TO '500ms'");
  });

  afterAll(async () => {
    rmSync(earlier, { recursive: true });
    await client?.end();
    await writer?.end();
    await database?.drop();
  });

  it('the indexes are built while deliveries are written', async () => {
    const building = new AbortController();
    let written = 0;
    const writing = (async () => {
      while (!building.signal.aborted) {
        await writer.query('UPDATE deliveries SET attempts = attempts + 1 WHERE id = $1', [
          `del_${'1'.padStart(22, 'A')}`,
        ]);
        written += 1;
      }
    })();
    const applied = await migrate(database.url, 'webhook_delivery', MIGRATIONS);
    building.abort();
    await writing;
    expect(applied.filter((name) => name.includes('_deliveries_of_'))).toHaveLength(2);
    expect(written).toBeGreaterThan(100);
    await client.query('ANALYZE deliveries');
  });

  const filter = (changes: Partial<EventListFilter>): EventListFilter => ({ sinceMs: 0, ...changes });

  it.each<[string, EventListFilter]>([
    ['no filter', filter({})],
    ['a common type', filter({ type: 'position.updated' })],
    ['a rare type', filter({ type: 'alert.group' })],
    ['a type without events', filter({ type: 'test.ping' })],
    ['a rare subject', filter({ subject: POSITION })],
    ['a common subject', filter({ subject: `pos_${'2'.padStart(22, '0')}` })],
    ['a subject without events', filter({ subject: derivedId('pos', 'none') })],
    ['a type of a subject', filter({ type: 'alert.group', subject: POSITION })],
  ])('read few rows for %s', async (_, each) => {
    const { text, values } = listSql(ACCOUNT, each, null, PAGE);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: QueryPlan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    // The table of endpoints has one row here, which Postgres reads as a whole.
    const nodes = planNodes(rows[0]!['QUERY PLAN'][0].Plan).filter(
      (node) => node['Relation Name'] !== 'webhooks',
    );
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(Math.max(...nodes.map(rowsRead))).toBeLessThan(MOST_READ);
  });
});
