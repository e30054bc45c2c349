import type { AuditItem, CreatedKey, DeviceCodes } from '@plimsoll/contracts';
import { Client } from 'pg';
import { Fixture, type TestResponse, call, randomAddress } from '../fixture';
import { Browser, outcome } from './browser';

jest.setTimeout(60_000);

const NO_CODE = 'BBBB-BBBB';

describe('/account/v1/device', () => {
  let fixture: Fixture;
  let gateways: [string, string];
  let database: Client;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateways = [await fixture.gateway(), await fixture.gateway()];
    database = new Client({ connectionString: fixture.database.url, options: '-c search_path=gateway' });
    await database.connect();
  });
  afterAll(async () => {
    await database?.end();
    await fixture.stop();
  });

  /** A program without a browser. */
  class Device {
    readonly address = randomAddress();
    codes!: DeviceCodes;

    static async start(body: object = { name: 'laptop' }): Promise<Device> {
      const device = new Device();
      const response = await device.post('code', body);
      expect(response.status).toBe(200);
      device.codes = response.body as unknown as DeviceCodes;
      return device;
    }

    post(path: string, body: object, gateway = gateways[0]): Promise<TestResponse> {
      return call(gateway, `/account/v1/device/${path}`, undefined, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': this.address,
          'user-agent': 'plimsoll-cli/0.1.0',
        },
      });
    }

    poll = (gateway = gateways[0]): Promise<TestResponse> =>
      this.post('token', { deviceCode: this.codes.deviceCode }, gateway);
  }

  const decide = (browser: Browser, what: 'approve' | 'deny' | 'show', userCode: string) =>
    browser.post(`/account/v1/device/${what}`, { userCode });
  const keyOf = ({ body }: TestResponse): CreatedKey['key'] => (body as unknown as CreatedKey).key;
  const status = async (key: string): Promise<number> => (await call(gateways[1], '/v1/status', key)).status;
  /** A browser with an own address, so that the limits of tests do not add up. */
  const person = async (tier = 'pro'): Promise<Browser> => {
    const browser = await Browser.signedIn(gateways[0]);
    await fixture.admin('accounts', 'set-tier', '--email', browser.email, '--tier', tier);
    return browser;
  };

  it('gives a program the key that a signed-in user approves, with the requested scopes', async () => {
    const browser = await person();
    const device = await Device.start({ name: 'laptop', scopes: ['positions:read'] });
    const { userCode, deviceCode, ...uris } = device.codes;
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(deviceCode).toMatch(/^[\w-]{43}$/);
    expect(uris).toEqual({
      verificationUri: `${gateways[0]}/docs/device`,
      verificationUriComplete: `${gateways[0]}/docs/device#${userCode}`,
      expiresInSeconds: 600,
      intervalSeconds: 5,
    });
    expect(outcome(await device.poll())).toEqual([400, 'authorization_pending']);
    const shown = await decide(browser, 'show', userCode.toLowerCase().replace('-', ' '));
    expect(shown.body['request']).toMatchObject({
      name: 'laptop',
      scopes: ['positions:read'],
      address: device.address,
      userAgent: 'plimsoll-cli/0.1.0',
    });
    expect((await decide(browser, 'approve', userCode)).body).toEqual({ success: true });
    const response = await device.poll(gateways[1]);
    expect(response.status).toBe(200);
    const key = keyOf(response);
    expect(key).toMatchObject({ name: 'laptop', scopes: ['positions:read'], status: 'active' });
    expect(Date.parse(key.expiresAt!) - Date.now()).toBeLessThanOrEqual(90 * 86_400_000);
    expect(Date.parse(key.expiresAt!) - Date.now()).toBeGreaterThan(89 * 86_400_000);
    expect(await status(key.key)).toBe(200);
    expect(outcome(await call(gateways[0], '/v1/alerts', key.key))).toEqual([403, 'scope_required']);
    const { body } = await browser.get('/account/v1/audit');
    expect((body['entries'] as AuditItem[]).slice(0, 2)).toMatchObject([
      { action: 'key_created', actor: 'session', address: device.address, details: { keyId: key.id } },
      { action: 'device_approved', address: browser.address, details: { device: device.address } },
    ]);
  });

  it('gives the key once, also to ten requests at the same time', async () => {
    const browser = await person();
    const device = await Device.start();
    await decide(browser, 'approve', device.codes.userCode);
    const responses = await Promise.all(Array.from({ length: 10 }, (_, at) => device.poll(gateways[at % 2])));
    const codes = responses.map((each) => (each.status === 200 ? 'key' : each.body['code'])).sort();
    expect(codes).toEqual([...Array<string>(9).fill('expired_token'), 'key']);
    expect(outcome(await device.poll())).toEqual([400, 'expired_token']);
    expect((await browser.get('/account/v1/keys')).body['keys']).toHaveLength(1);
  });

  it('slow_down to a program that does not wait, over all gateways, and longer each time', async () => {
    const device = await Device.start();
    expect(outcome(await device.poll())).toEqual([400, 'authorization_pending']);
    expect(outcome(await device.poll(gateways[1]))).toEqual([400, 'slow_down']);
    expect(outcome(await device.poll())).toEqual([400, 'slow_down']);
    const { rows } = await database.query<{ seconds: number; wait: number }>(
      `SELECT interval_seconds AS seconds, extract(epoch FROM next_poll_at - now())::float AS wait
       FROM device_codes WHERE address = $1`,
      [device.address],
    );
    expect(rows[0]?.seconds).toBe(15);
    expect(rows[0]?.wait).toBeGreaterThan(10);
    await database.query('UPDATE device_codes SET next_poll_at = now() WHERE address = $1', [device.address]);
    expect(outcome(await device.poll())).toEqual([400, 'authorization_pending']);
  });

  it('access_denied after a denial, which no approval changes', async () => {
    const browser = await person();
    const device = await Device.start();
    expect((await decide(browser, 'deny', device.codes.userCode)).status).toBe(200);
    expect(outcome(await decide(browser, 'approve', device.codes.userCode))).toEqual([404, 'not_found']);
    expect(outcome(await device.poll())).toEqual([400, 'access_denied']);
    expect((await browser.get('/account/v1/keys')).body['keys']).toEqual([]);
  });

  it('expired_token after ten minutes, before and after an approval', async () => {
    const browser = await person();
    const [early, late] = [await Device.start(), await Device.start()];
    await decide(browser, 'approve', late.codes.userCode);
    await database.query(
      `UPDATE device_codes SET expires_at = now() - interval '1 second'
      WHERE address IN ($1, $2)`,
      [early.address, late.address],
    );
    expect(outcome(await decide(browser, 'show', early.codes.userCode))).toEqual([404, 'not_found']);
    expect(outcome(await decide(browser, 'approve', early.codes.userCode))).toEqual([404, 'not_found']);
    for (const device of [early, late]) expect(outcome(await device.poll())).toEqual([400, 'expired_token']);
  });

  it('stores only hashes', async () => {
    const device = await Device.start();
    const { rows } = await database.query('SELECT * FROM device_codes WHERE address = $1', [device.address]);
    const stored = JSON.stringify(rows);
    const { userCode, deviceCode } = device.codes;
    for (const secret of [deviceCode, userCode, userCode.replace('-', '')])
      expect(stored).not.toContain(secret);
  });

  describe('an attacker', () => {
    it('cannot decide without a session, from another origin, or long after the log-in', async () => {
      const device = await Device.start();
      const { userCode } = device.codes;
      for (const what of ['show', 'approve', 'deny'] as const) {
        const visitor = new Browser(gateways[0]);
        expect(outcome(await decide(visitor, what, userCode))).toEqual([401, 'not_signed_in']);
      }
      const browser = await person();
      browser.headers = { 'sec-fetch-site': 'cross-site' };
      expect(outcome(await decide(browser, 'approve', userCode))).toEqual([403, 'foreign_origin']);
      browser.headers = { 'sec-fetch-site': 'same-origin' };
      await database.query(`UPDATE sessions SET authenticated_at = now() - interval '11 minutes'`);
      expect(outcome(await decide(browser, 'approve', userCode))).toEqual([403, 'recent_log_in_required']);
      await browser.post('/account/v1/session/confirm', { password: browser.password });
      expect((await decide(browser, 'approve', userCode)).status).toBe(200);
    });

    it('of another account cannot take over, see or repeat an approval', async () => {
      const [owner, stranger] = [await person(), await person()];
      const device = await Device.start();
      await decide(owner, 'approve', device.codes.userCode);
      for (const what of ['show', 'approve', 'deny'] as const)
        expect(outcome(await decide(stranger, what, device.codes.userCode))).toEqual([404, 'not_found']);
      expect(outcome(await decide(owner, 'approve', device.codes.userCode))).toEqual([404, 'not_found']);
      const { id } = keyOf(await device.poll());
      expect((await owner.get('/account/v1/keys')).body['keys']).toMatchObject([{ id }]);
      expect((await stranger.get('/account/v1/keys')).body['keys']).toEqual([]);
    });

    it('who guesses user codes is stopped by account, at any number of addresses', async () => {
      const browser = await person();
      const outcomes: unknown[] = [];
      for (let count = 0; count < 12; count += 1) {
        browser.headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': randomAddress() };
        outcomes.push((await decide(browser, count % 2 ? 'show' : 'approve', NO_CODE)).body['code']);
      }
      expect(outcomes).toEqual([...Array<string>(10).fill('not_found'), 'rate_limited', 'rate_limited']);
    });

    it('who guesses user codes is stopped by address, with any number of accounts', async () => {
      const browsers = [await person(), await person()];
      const address = randomAddress();
      const outcomes: unknown[] = [];
      for (let count = 0; count < 12; count += 1) {
        const browser = browsers[count % 2]!;
        browser.headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address };
        outcomes.push((await decide(browser, 'approve', NO_CODE)).body['code']);
      }
      expect(outcomes).toEqual([...Array<string>(10).fill('not_found'), 'rate_limited', 'rate_limited']);
    });

    it('cannot fill the table from one address, and gets nothing for a wrong device code', async () => {
      const device = new Device();
      const outcomes: number[] = [];
      for (let count = 0; count < 11; count += 1)
        outcomes.push((await device.post('code', { name: 'flood' })).status);
      expect(outcomes).toEqual([...Array<number>(10).fill(200), 429]);
      const wrong = await device.post('token', { deviceCode: 'A'.repeat(43) });
      expect(outcome(wrong)).toEqual([400, 'expired_token']);
    });

    it.each(['a new password', 'a reset'])('who approved before %s gets no key', async (how) => {
      const browser = await person();
      const device = await Device.start();
      await decide(browser, 'approve', device.codes.userCode);
      if (how === 'a reset') await fixture.admin('accounts', 'reset-password', '--email', browser.email);
      else
        await browser.post('/account/v1/password/change', {
          currentPassword: browser.password,
          newPassword: 'another horse altogether',
        });
      expect(outcome(await device.poll())).toEqual([400, 'expired_token']);
      expect(await keysOf(browser.email)).toBe(0);
    });

    it('who approves or fetches during a reset has no key afterwards', async () => {
      for (let count = 0; count < 5; count += 1) {
        const browser = await person();
        const device = await Device.start();
        const approving = decide(browser, 'approve', device.codes.userCode);
        const [, , polled] = await Promise.all([
          approving,
          fixture.admin('accounts', 'reset-password', '--email', browser.email),
          approving.then(() => device.poll()),
        ]);
        // A key from before the reset stays, because the operator keeps keys. None comes afterwards.
        const before = await keysOf(browser.email);
        expect(before).toBe(polled.status === 200 ? 1 : 0);
        await database.query('UPDATE device_codes SET next_poll_at = now()');
        expect((await device.poll()).status).toBe(400);
        expect(await keysOf(browser.email)).toBe(before);
      }
    });
  });

  it('quota_reached at the cap of the tier, until a key is revoked', async () => {
    const browser = await person('open');
    const { body } = await browser.post('/account/v1/keys', { name: 'only' });
    const device = await Device.start();
    await decide(browser, 'approve', device.codes.userCode);
    expect(outcome(await device.poll())).toEqual([403, 'quota_reached']);
    await browser.delete(`/account/v1/keys/${(body['key'] as { id: string }).id}`);
    expect((await device.poll()).status).toBe(200);
  });

  it.each([
    ['code', {}, 'name'],
    ['code', { name: 'x', scopes: ['everything'] }, 'scopes[0]'],
    ['code', { name: 'x', expiresAt: '2030-01-01T00:00:00Z' }, 'expiresAt'],
    ['token', { deviceCode: 'short' }, 'deviceCode'],
  ])('400 for %s with %j', async (path, body, field) => {
    const response = await new Device().post(path, body);
    expect(outcome(response)).toEqual([400, 'invalid_request']);
    expect((response.body['errors'] as { field: string }[])[0]?.field).toBe(field);
  });

  it.each([{}, { userCode: 'AEIO-UAEI' }, { userCode: 'BBBB' }, { userCode: 7 }])(
    '400 for the user code of %j',
    async (body) => {
      const response = await (await person()).post('/account/v1/device/show', body);
      expect(outcome(response)).toEqual([400, 'invalid_request']);
    },
  );

  async function keysOf(email: string): Promise<number> {
    const { rows } = await database.query<{ count: number }>(
      `SELECT count(*)::int FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE a.email = $1`,
      [email.toLowerCase()],
    );
    return rows[0]!.count;
  }
});
