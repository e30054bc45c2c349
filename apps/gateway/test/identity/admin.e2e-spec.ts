import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { generateApiKey } from '@plimsoll/access';
import type { AccountV1 } from '@plimsoll/contracts';
import { LogReader, type ReceivedEvent } from '@plimsoll/event-bus';
import { OperationsServer, OperatorAlerts, createPool } from '@plimsoll/service-kit';
import { waitFor } from '@plimsoll/testing';
import { Client, type Pool } from 'pg';
import { pino } from 'pino';
import { Gauge } from 'prom-client';
import { Fixture, call } from '../fixture';

jest.setTimeout(60_000);

const ALERTS_MIGRATION = path.join(
  __dirname,
  '../../../positions/prisma/migrations/20261126040000_operator_alerts/migration.sql',
);

interface AccountResponse {
  account: { id: string; email: string; tier: string };
  key: { id: string; key?: string; scopes: string[] };
  changed: boolean;
}

describe('admin', () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await Fixture.start();
  });
  afterAll(() => fixture.stop());

  async function run(line: string): Promise<AccountResponse & { keys: { id: string }[] }> {
    const { code, out, err } = await fixture.admin(...line.split(' '));
    if (code !== 0) throw new Error(err);
    return JSON.parse(out) as AccountResponse & { keys: { id: string }[] };
  }

  it('works before the first start of the gateway, which then publishes the pending events', async () => {
    const { account } = await run('accounts create --tier business --email First@Example.com');
    expect(account).toMatchObject({ email: 'first@example.com', tier: 'business' });
    await run(`accounts set-tier --email first@example.com --tier enterprise --per-minute 5000`);
    const gateway = await fixture.gateway();
    const events: ReceivedEvent<AccountV1>[] = [];
    const reader = new LogReader({
      brokers: fixture.kafka.brokers,
      topicPrefix: fixture.kafka.topicPrefix,
      clientId: 'test',
      logger: pino({ level: 'silent' }),
      topics: { 'account.v1': 'beginning' },
      onEvents: (...[, , received]) => {
        events.push(...(received as ReceivedEvent<AccountV1>[]));
      },
    });
    await reader.start();
    await waitFor(() => events.length === 2, { timeoutMs: 20_000, message: 'two account.v1' });
    await reader.stop();
    expect(events.map(({ key, value }) => [key, value?.tier, value?.limits.requestsPerMinute])).toEqual([
      [account.id, 'business', 300],
      [account.id, 'enterprise', 5_000],
    ]);
    const { key } = await run(`keys create --account ${account.id}`);
    const response = await call(gateway, '/v1/status', key.key);
    expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '5000', 'x-service-tier': 'enterprise' });
  });

  it('keys create shows the key once, and only its hash is stored', async () => {
    const { account } = await run('accounts create --tier pro --email keys@example.com');
    const { key } = await run(
      `keys create --account ${account.id} --name ci --scopes alerts:read,webhooks:read`,
    );
    expect(key).toMatchObject({ name: 'ci', scopes: ['alerts:read', 'webhooks:read'] });
    expect(key.key).toMatch(/^psk_live_[0-9A-Za-z]{38}$/);
    const listed = await fixture.admin('keys', 'list', '--account', account.id);
    expect(listed.out).toContain(key.id);
    expect(listed.out).not.toContain(key.key);
    expect(await stored()).not.toContain(key.key);
  });

  it('rejects a key above the tier’s number, and a second account for an address', async () => {
    const { account } = await run('accounts create --tier open --email cap@example.com');
    await run(`keys create --account ${account.id}`);
    const second = await fixture.admin('keys', 'create', '--account', account.id);
    expect([second.code, second.err]).toEqual([1, expect.stringMatching(/^quota_reached/)]);
    const again = await fixture.admin('accounts', 'create', '--tier', 'pro', '--email', 'cap@example.com');
    expect([again.code, again.err]).toEqual([1, expect.stringMatching(/^conflict/)]);
  });

  it('reports missing and mistyped arguments', async () => {
    const missing = await fixture.admin('keys', 'revoke', '--id', `key_${'0'.repeat(22)}`);
    expect([missing.code, missing.out, missing.err]).toEqual([1, '', expect.stringMatching(/^not_found/)]);
    const wrong = await fixture.admin('keys', 'burn');
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect((await fixture.admin('--help')).code).toBe(0);
  });

  describe('operator-alerts list', () => {
    const ALERT = {
      kind: 'verdict_mismatch',
      subject: 'aave-v3/1/healthFactor',
      detail: 'healthFactor of aave-v3 on chain 1 differs.',
      remedy: 'Run npm run doctor.',
    };
    let pool: Pool;
    let operations: OperationsServer;
    let closeAlerts: () => Promise<void>;

    beforeAll(async () => {
      // The table and the alert of the service that has it.
      pool = createPool(fixture.database.url, 'positions', () => {});
      await pool.query('CREATE SCHEMA positions');
      await pool.query(await readFile(ALERTS_MIGRATION, 'utf8'));
      const gauge = new Gauge({ name: 'open', help: 'open', labelNames: ['kind'], registers: [] });
      const alerts = new OperatorAlerts(pool, gauge, [ALERT.kind]);
      await alerts.open({ ...ALERT, openedAt: new Date('2026-11-26T04:00:00Z') });
      const { app } = await fixture.app();
      operations = app.get(OperationsServer);
      operations.serve(alerts);
      closeAlerts = async () => {
        await app.close();
        await pool.end();
      };
    });
    afterAll(() => closeAlerts());

    it('prints the open alerts of the services that it is given, with the next step', async () => {
      const { code, out } = await fixture.admin('operator-alerts', 'list', '--at', operations.origin);
      expect([code, JSON.parse(out)]).toEqual([
        0,
        {
          alerts: [{ at: operations.origin, ...ALERT, openedAt: '2026-11-26T04:00:00.000Z' }],
          count: 1,
          unavailable: [],
        },
      ]);
    });

    it('ends with 1 when a service is unavailable, and prints the alerts of the others', async () => {
      const gone = 'http://127.0.0.1:1';
      const at = `${gone},${operations.origin}`;
      const { code, out } = await fixture.admin('operator-alerts', 'list', '--at', at);
      expect([code, JSON.parse(out)]).toMatchObject([
        1,
        { count: 1, unavailable: [{ at: gone, reason: expect.any(String) }] },
      ]);
    });

    it('ends with 1 when a service cannot read its alerts, and with 2 without an address', async () => {
      await pool.query('ALTER TABLE operator_alerts RENAME TO operator_alerts_gone');
      const { code, out } = await fixture.admin('operator-alerts', 'list', '--at', operations.origin);
      await pool.query('ALTER TABLE operator_alerts_gone RENAME TO operator_alerts');
      expect([code, JSON.parse(out)]).toMatchObject([
        1,
        { count: 0, unavailable: [{ reason: expect.stringContaining('cannot be read') }] },
      ]);
      expect((await fixture.admin('operator-alerts', 'list', '--at', 'nowhere')).code).toBe(2);
    });
  });

  it('ensure-demo has the same result the second time and after every other command', async () => {
    const key = generateApiKey('demo', randomBytes);
    const line = `ensure-demo --tier open --email demo@example.com --key ${key}`;
    const first = await run(line);
    expect(first).toMatchObject({ changed: true, account: { tier: 'open' } });
    expect(await run(line)).toMatchObject({
      changed: false,
      account: { id: first.account.id },
      key: { id: first.key.id },
    });
    await run(`keys revoke --id ${first.key.id}`);
    expect(await run(line)).toMatchObject({ changed: true, key: { id: first.key.id, revokedAt: null } });
    const other = await run(line.replace(key, generateApiKey('demo', randomBytes)));
    expect(other.changed).toBe(true);
    const { keys } = await run(`keys list --account ${first.account.id}`);
    expect(keys).toMatchObject([{ revokedAt: null }, { revokedAt: expect.any(String) }]);
    const raised = await run(
      `ensure-demo --tier enterprise --per-minute 9000 --email demo@example.com --key ${key}`,
    );
    expect(raised.account).toMatchObject({ tier: 'enterprise', requestsPerMinute: 9_000 });
  });

  it('ensure-demo sets another password, and the same one only once', async () => {
    const key = generateApiKey('demo', randomBytes);
    const line = `ensure-demo --tier open --email page@example.com --key ${key} --password`;
    const outcomes = [];
    for (const password of [
      'correct-horse-battery',
      'correct-horse-battery',
      'another-horse',
      'another-horse',
    ])
      outcomes.push((await run(`${line} ${password}`)).changed);
    expect(outcomes).toEqual([true, false, true, false]);
  });

  async function stored(): Promise<string> {
    const client = new Client({ connectionString: fixture.database.url });
    await client.connect();
    const { rows } = await client.query(
      'SELECT k::text FROM gateway.api_keys k UNION ALL SELECT o::text FROM gateway.outbox o',
    );
    await client.end();
    return JSON.stringify(rows);
  }
});
