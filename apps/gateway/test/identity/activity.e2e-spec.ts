import type { AccountActivity } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { Fixture, call } from '../fixture';
import { Browser, outcome } from './browser';

jest.setTimeout(60_000);

const PATH = '/account/v1/activity';

describe('GET /account/v1/activity', () => {
  let fixture: Fixture;
  let gateway: string;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway({ USAGE_WRITE_INTERVAL_MS: 100 });
  });
  afterAll(() => fixture.stop());

  const marks = async (browser: Browser): Promise<AccountActivity> =>
    (await browser.get(PATH)).body as unknown as AccountActivity;
  const changed = (browser: Browser, mark: keyof AccountActivity, before: AccountActivity) =>
    waitFor(
      async () => {
        const now = await marks(browser);
        return now[mark] !== before[mark] && now;
      },
      { message: `another mark of ${mark}` },
    );

  it('200 with no marks but that of the sign-up, and with others after a key and its request', async () => {
    const browser = await Browser.signedIn(gateway);
    const first = await marks(browser);
    expect(first).toEqual({
      requests: null,
      usage: null,
      keyUses: null,
      changes: expect.stringMatching(/^aud_/),
    });
    const { body } = await browser.post('/account/v1/keys', { name: 'mine' });
    expect((await marks(browser)).changes).not.toBe(first.changes);
    const { key } = body.key as { key: string };
    await call(gateway, '/v1/positions', key, { headers: { 'x-request-id': 'first.1' } });
    expect((await changed(browser, 'requests', first)).requests).toMatch(/ first\.1$/);
    await changed(browser, 'keyUses', first);
    const used = await changed(browser, 'usage', first);
    await call(gateway, '/v1/positions', key);
    await changed(browser, 'usage', used);
    await changed(browser, 'requests', used);
  });

  it('does not change with what other accounts do', async () => {
    const [browser, other] = [await Browser.signedIn(gateway), await Browser.signedIn(gateway)];
    const before = await marks(browser);
    const begun = await marks(other);
    const { body } = await other.post('/account/v1/keys', { name: 'mine' });
    await call(gateway, '/v1/positions', (body.key as { key: string }).key);
    await changed(other, 'requests', begun);
    await changed(other, 'keyUses', begun);
    expect(await marks(browser)).toEqual(before);
  });

  it('has a window of its own, and is open to sessions only', async () => {
    const browser = await Browser.signedIn(gateway);
    const responses = await Promise.all(Array.from({ length: 130 }, () => browser.get(PATH)));
    expect(responses.map(outcome)).toContainEqual([429, 'rate_limited']);
    expect((await browser.get('/account/v1/session')).status).toBe(200);
    expect(outcome(await new Browser(gateway).get(PATH))).toEqual([401, 'not_signed_in']);
    expect(outcome(await browser.send('GET', PATH))).toEqual([429, 'rate_limited']);
  });
});
