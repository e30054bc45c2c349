import type { RequestLogItem } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { Client } from 'pg';
import { RequestLogPartitions } from '../../src/request-log/request-log-partitions';
import { Fixture, call } from '../fixture';
import { Browser, outcome } from './browser';

jest.setTimeout(60_000);

const PATH = '/account/v1/requests';
const DAY_MS = 86_400_000;

describe('the request log', () => {
  let fixture: Fixture;
  let gateway: string;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway();
  });
  afterAll(() => fixture.stop());

  async function signedIn(at = gateway): Promise<{ browser: Browser; key: string; keyId: string }> {
    const browser = await Browser.signedIn(at);
    const { body } = await browser.post('/account/v1/keys', { name: 'mine' });
    const { id, key } = body.key as { id: string; key: string };
    return { browser, key, keyId: id };
  }

  const list = async (browser: Browser, query = ''): Promise<RequestLogItem[]> =>
    (await browser.get(PATH + query)).body.requests as RequestLogItem[];

  const logged = (browser: Browser, count: number, query = ''): Promise<RequestLogItem[]> =>
    waitFor(
      async () => {
        const requests = await list(browser, query);
        return requests.length >= count && requests;
      },
      { message: `${count} requests in the log` },
    );

  it('has method, path, status, duration, key and id of each request, newest first, and no query', async () => {
    const { browser, key, keyId } = await signedIn();
    const before = Date.now();
    await call(gateway, '/v1/positions?wallet=0x1', key, { headers: { 'x-request-id': 'first' } });
    await call(gateway, '/v1/nothing', key);
    const refused = await call(gateway, '/v1/webhooks', key, { method: 'POST', body: '{"url":"secret"}' });
    await browser.get('/v1/positions');
    const requests = await logged(browser, 4);
    expect(requests.map(({ method, path, status, keyId: by }) => [method, path, status, by])).toEqual([
      ['GET', '/v1/positions', 200, null],
      ['POST', '/v1/webhooks', 403, keyId],
      ['GET', '/v1/nothing', 404, keyId],
      ['GET', '/v1/positions', 200, keyId],
    ]);
    expect(requests[1]?.requestId).toBe(refused.headers['x-request-id']);
    expect(requests[3]?.requestId).toBe('first');
    for (const { createdAt, durationMs } of requests) {
      expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before - 1);
      expect(durationMs).toBeGreaterThan(0);
    }
    expect(JSON.stringify(requests)).not.toMatch(/0x1|secret|psk_/);
  });

  it('finds a request by its id, key and status', async () => {
    const { browser, key, keyId } = await signedIn();
    const { headers } = await call(gateway, '/v1/positions', key);
    await call(gateway, '/v1/nothing', key);
    await logged(browser, 2);
    const id = headers['x-request-id'];
    expect((await list(browser, `?requestId=${id}`)).map(({ requestId }) => requestId)).toEqual([id]);
    expect(await list(browser, `?keyId=${keyId}`)).toHaveLength(2);
    expect((await list(browser, '?status=4xx')).map(({ status }) => status)).toEqual([404]);
    expect(await list(browser, '?status=none')).toEqual([]);
    await browser.get('/v1/positions');
    await logged(browser, 1, '?source=session');
    expect((await list(browser, '?source=session')).map(({ keyId: by }) => by)).toEqual([null]);
    expect(await list(browser, '?source=key')).toHaveLength(2);
    expect(await list(browser, '?requestId=unknown')).toEqual([]);
  });

  it('has a request whose client disconnected, without a status', async () => {
    const { browser, key } = await signedIn();
    const handler = fixture.upstream.handler;
    const arrived = new Promise<void>((resolve) => {
      fixture.upstream.handler = () => resolve();
    });
    const leaving = new AbortController();
    const left = fetch(`${gateway}/v1/positions`, {
      headers: { 'x-api-key': key },
      signal: leaving.signal,
    }).catch(() => undefined);
    await arrived;
    leaving.abort();
    await left;
    fixture.upstream.handler = handler;
    const requests = await logged(browser, 1, '?status=none');
    expect(requests.map(({ path, status }) => [path, status])).toEqual([['/v1/positions', null]]);
  });

  it('has requests above the limit, and none of other accounts or invalid keys', async () => {
    const { browser, key } = await signedIn();
    const other = await signedIn();
    // Of those above the limit, the log has one in a second.
    await Promise.all(Array.from({ length: 11 }, () => call(gateway, '/v1/positions', key)));
    await call(gateway, '/v1/positions', `${key}x`);
    const requests = await logged(browser, 11);
    expect(requests.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(requests).toHaveLength(11);
    expect(await list(other.browser)).toEqual([]);
    expect(await list(other.browser, `?requestId=${requests[0]?.requestId}`)).toEqual([]);
  });

  it('continues page by page', async () => {
    const { browser, key } = await signedIn();
    for (const path of ['/v1/a', '/v1/b', '/v1/c']) await call(gateway, path, key);
    await logged(browser, 3);
    const first = await browser.get(`${PATH}?limit=2`);
    const second = await browser.get(`${PATH}?limit=2&cursor=${String(first.body.nextCursor)}`);
    const paths = [first, second].flatMap(({ body }) =>
      (body.requests as RequestLogItem[]).map(({ path }) => path),
    );
    expect(paths).toEqual(['/v1/c', '/v1/b', '/v1/a']);
    expect(second.body.nextCursor).toBeNull();
  });

  it('401 without a session, 400 for a cursor of another list and an invalid filter', async () => {
    expect(outcome(await new Browser(gateway).get(PATH))).toEqual([401, 'not_signed_in']);
    const { browser } = await signedIn();
    for (const query of ['?cursor=x', '?status=600', '?keyId=x', '?requestId=a%20b'])
      expect([query, ...outcome(await browser.get(PATH + query))]).toEqual([query, 400, 'invalid_request']);
  });

  it('writes the rest at a graceful stop, and no more than a number of rows per second of an account', async () => {
    const { app, origin } = await fixture.app({ REQUEST_LOG_ROWS_PER_SECOND: 3 });
    const { key, accountId } = await fixture.account('business');
    await Promise.all(Array.from({ length: 200 }, () => call(origin, '/v1/positions', key)));
    await app.close();
    const rows = await query<{ count: number }>(
      'SELECT count(*)::int AS count FROM gateway.request_log WHERE account_id = $1',
      [accountId],
    );
    expect(rows[0]?.count).toBeGreaterThanOrEqual(3);
    expect(rows[0]?.count).toBeLessThan(200);
  });

  it('logs nothing when it is turned off', async () => {
    const { app, origin } = await fixture.app({ REQUEST_LOG_ROWS_PER_SECOND: 0 });
    const { browser, key } = await signedIn();
    await call(origin, '/v1/positions', key);
    await app.close();
    expect(await list(browser)).toEqual([]);
  });

  it('does not show requests older than seven days, and drops their partitions', async () => {
    const old = new Date(Date.now() - 9 * DAY_MS).toISOString().slice(0, 10);
    const next = new Date(Date.parse(old) + DAY_MS).toISOString().slice(0, 10);
    const partition = `request_log_${old.replaceAll('-', '_')}`;
    await query(
      `CREATE TABLE gateway.${partition} PARTITION OF gateway.request_log FOR VALUES FROM ('${old}Z') TO ('${next}Z')`,
    );
    const { browser } = await signedIn();
    const { body } = await browser.get('/account/v1/session');
    await query(
      `INSERT INTO gateway.request_log (account_id, created_at, request_id, method, path, duration_ms) VALUES ($1, $2, 'old', 'GET', '/v1', 1)`,
      [(body.account as { id: string }).id, `${old}T12:00:00Z`],
    );
    expect(await list(browser)).toEqual([]);
    const { app } = await fixture.app();
    await app.get(RequestLogPartitions).drop(new Date());
    await app.close();
    const left = await query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relname LIKE 'request_log_2%' AND relkind = 'r' ORDER BY relname",
    );
    expect(left.map(({ name }) => name)).not.toContain(partition);
    expect(left.length).toBeGreaterThanOrEqual(2);
  });

  async function query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    const client = new Client({ connectionString: fixture.database.url });
    await client.connect();
    try {
      return (await client.query<T>(text, values)).rows;
    } finally {
      await client.end();
    }
  }
});
