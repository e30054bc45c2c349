import type { AuditItem, RecentUsage, UsageReport } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { Client } from 'pg';
import { Browser, outcome } from './browser';
import { Fixture, call } from '../fixture';

jest.setTimeout(60_000);

describe('usage and audit', () => {
  let fixture: Fixture;
  let gateway: string;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway({ USAGE_WRITE_INTERVAL_MS: 100 });
  });
  afterAll(() => fixture.stop());

  const calls = (origin: string, key: string, target: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => call(origin, target, key)));

  it('GET /v1/usage: 200 with the admitted requests, by day and endpoint, over all keys and gateways', async () => {
    const second = await fixture.gateway({ USAGE_WRITE_INTERVAL_MS: 100 });
    const { key, accountId } = await fixture.account('business');
    const other = await fixture.key(accountId);
    await calls(gateway, key, '/v1/positions', 3);
    await calls(second, other.key, '/v1/positions', 2);
    await calls(gateway, key, '/v1/nothing', 1);
    await calls(gateway, key, '/v1/positions/pos_1', 1);
    const report = await waitFor(
      async () => {
        const { body } = await call(gateway, '/v1/usage', other.key);
        const usage = body as unknown as UsageReport;
        // This request counts too.
        const asking = usage.endpoints.find(({ endpoint }) => endpoint === 'GET /v1/usage')?.calls ?? 0;
        return usage.calls - asking >= 7 && usage;
      },
      { message: 'seven requests in the report besides those for the report' },
    );
    expect(report.quota).toEqual({ requestsPerMinute: 300, requestsPerDay: 1_000_000 });
    expect(report.days).toHaveLength(30);
    expect(report.days[0]?.date).toBe(new Date().toISOString().slice(0, 10));
    expect(report.days[0]?.endpoints).toEqual(
      expect.arrayContaining([
        { endpoint: 'GET /v1/positions', calls: 5 },
        { endpoint: 'GET /v1/positions/:id', calls: 1 },
        { endpoint: 'other', calls: 1 },
      ]),
    );
    expect(report.calls).toBe(report.endpoints.reduce((sum, each) => sum + each.calls, 0));
  });

  it('GET /v1/usage: 401 without a key, 429 beyond the limit, which is not counted', async () => {
    expect(outcome(await call(gateway, '/v1/usage'))).toEqual([401, 'missing_api_key']);
    const { key } = await fixture.account('open');
    const responses = await calls(gateway, key, '/v1/usage', 12);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
    expect(responses[0]?.body.quota).toEqual({ requestsPerMinute: 10, requestsPerDay: 1_000 });
  });

  it('a graceful stop writes the counted requests', async () => {
    const stopping = await fixture.app({ USAGE_WRITE_INTERVAL_MS: 60_000 });
    const { key, accountId } = await fixture.account('pro');
    await calls(stopping.origin, key, '/v1/positions', 4);
    expect(await stored(accountId)).toEqual([]);
    await stopping.app.close();
    expect(await stored(accountId)).toEqual([{ endpoint: 'GET /v1/positions', calls: '4' }]);
  });

  it('GET /account/v1/usage: the same report for the session', async () => {
    const browser = await Browser.signedIn(gateway);
    const { body } = await browser.post('/account/v1/keys', { name: 'mine' });
    await calls(gateway, (body.key as { key: string }).key, '/v1/status', 2);
    await waitFor(async () => (await browser.get('/account/v1/usage')).body.calls === 2, {
      message: 'two requests in the report',
    });
  });

  it('GET /account/v1/usage/recent: the requests by minute, and by key beside those of sessions', async () => {
    const browser = await Browser.signedIn(gateway);
    await fixture.admin('accounts', 'set-tier', '--email', browser.email, '--tier', 'pro');
    const made = await Promise.all(
      ['first', 'second'].map(async (name) => (await browser.post('/account/v1/keys', { name })).body),
    );
    const [first, second] = made.map(({ key }) => key as { id: string; key: string });
    const begun = Date.now();
    await calls(gateway, first?.key ?? '', '/v1/positions', 3);
    await calls(gateway, second?.key ?? '', '/v1/nothing', 2);
    await browser.get('/v1/positions');
    const report = await waitFor(
      async () => {
        const { body } = await browser.get('/account/v1/usage/recent');
        const recent = body as unknown as RecentUsage;
        return recent.keys.reduce((sum, each) => sum + each.calls, 0) === 6 && recent;
      },
      { message: 'six requests in the report' },
    );
    expect(report.keys).toEqual([
      { keyId: first?.id, calls: 3, today: expect.any(Number) },
      { keyId: second?.id, calls: 2, today: expect.any(Number) },
      { keyId: null, calls: 1, today: expect.any(Number) },
    ]);
    expect(report.minutes.reduce((sum, each) => sum + each.calls, 0)).toBe(6);
    for (const { minute } of report.minutes) {
      expect(minute).toMatch(/:00\.000Z$/);
      expect(Date.parse(minute)).toBeGreaterThan(begun - 60_000);
    }
    const other = await Browser.signedIn(gateway);
    expect((await other.get('/account/v1/usage/recent')).body).toMatchObject({ minutes: [], keys: [] });
  });

  describe('GET /account/v1/audit', () => {
    it('lists actions with actor and address, newest first, page by page', async () => {
      const browser = await Browser.signedIn(gateway);
      await browser.logIn('wrong password');
      const { body } = await browser.post('/account/v1/keys', { name: 'ci' });
      const keyId = (body.key as { id: string }).id;
      const rotated = await browser.post(`/account/v1/keys/${keyId}/rotate`);
      const replacedBy = (rotated.body.key as { id: string }).id;
      await browser.delete(`/account/v1/keys/${replacedBy}`);
      await fixture.admin('accounts', 'set-tier', '--email', browser.email, '--tier', 'pro');
      const passwords = { currentPassword: browser.password, newPassword: 'another horse altogether' };
      await browser.post('/account/v1/password/change', passwords);

      const entries: AuditItem[] = [];
      for (let cursor: unknown = ''; cursor !== null;) {
        const page = await browser.get(
          `/account/v1/audit?limit=3${cursor === '' ? '' : `&cursor=${String(cursor)}`}`,
        );
        entries.push(...(page.body.entries as AuditItem[]));
        cursor = page.body.nextCursor;
      }
      expect(entries.map(({ action, actor, details }) => [action, actor, details])).toEqual([
        ['password_changed', 'session', {}],
        ['tier_changed', 'admin', { from: 'open', to: 'pro' }],
        ['key_revoked', 'session', { keyId: replacedBy, name: 'ci' }],
        ['key_rotated', 'session', { keyId, name: 'ci', replacedBy }],
        ['key_created', 'session', { keyId, name: 'ci' }],
        ['log_in_failed', 'visitor', {}],
        ['logged_in', 'visitor', {}],
        ['account_created', 'visitor', { tier: 'open' }],
      ]);
      expect(entries.map(({ address }) => address === browser.address)).toEqual([
        true,
        false,
        ...Array<boolean>(6).fill(true),
      ]);
    });

    it('400 for a cursor of another list', async () => {
      const browser = await Browser.signedIn(gateway);
      expect(outcome(await browser.get('/account/v1/audit?cursor=x'))).toEqual([400, 'invalid_request']);
    });
  });

  async function stored(accountId: string): Promise<object[]> {
    const client = new Client({ connectionString: fixture.database.url });
    await client.connect();
    const { rows } = await client.query<object>(
      'SELECT endpoint, calls FROM gateway.usage_days WHERE account_id = $1',
      [accountId],
    );
    await client.end();
    return rows;
  }
});
