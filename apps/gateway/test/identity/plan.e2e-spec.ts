import { Fixture } from '../fixture';
import { Browser, outcome } from './browser';

jest.setTimeout(60_000);

const PATH = '/account/v1/plan';

describe('a change of the plan', () => {
  let fixture: Fixture;
  let gateway: string;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway();
  });
  afterAll(() => fixture.stop());

  const waiting = async (email: string): Promise<object[]> => {
    const { out } = await fixture.admin('plan-requests', 'list');
    const { requests } = JSON.parse(out) as { requests: { email: string }[] };
    return requests.filter((each) => each.email === email.toLowerCase());
  };

  it('is requested, listed for the operator, and ended by another tier', async () => {
    const browser = await Browser.signedIn(gateway);
    expect((await browser.get(PATH)).body).toEqual({ tier: 'open', requested: null });
    await browser.post(PATH, { tier: 'pro' });
    const second = await browser.post(PATH, { tier: 'business' });
    expect([second.status, second.body]).toMatchObject([
      200,
      { tier: 'open', requested: { tier: 'business', requestedAt: expect.any(String) } },
    ]);
    expect(await waiting(browser.email)).toMatchObject([{ tier: 'open', requestedTier: 'business' }]);
    await fixture.admin('accounts', 'set-tier', '--email', browser.email, '--tier', 'business');
    expect((await browser.get(PATH)).body).toEqual({ tier: 'business', requested: null });
    expect(await waiting(browser.email)).toEqual([]);
    const audit = (await browser.get('/account/v1/audit?limit=3')).body.entries as {
      action: string;
      details: object;
    }[];
    expect(audit.map(({ action, details }) => [action, details])).toEqual([
      ['tier_changed', { from: 'open', to: 'business' }],
      ['tier_requested', { from: 'open', to: 'business' }],
      ['tier_requested', { from: 'open', to: 'pro' }],
    ]);
  });

  it('can be withdrawn', async () => {
    const browser = await Browser.signedIn(gateway);
    await browser.post(PATH, { tier: 'pro' });
    expect((await browser.delete(PATH)).body).toEqual({ tier: 'open', requested: null });
    expect(await waiting(browser.email)).toEqual([]);
    expect((await browser.delete(PATH)).status).toBe(200);
  });

  it('409 for the current tier, 400 for an unknown one, 401 without a session', async () => {
    const browser = await Browser.signedIn(gateway);
    expect(outcome(await browser.post(PATH, { tier: 'open' }))).toEqual([409, 'conflict']);
    expect(outcome(await browser.post(PATH, { tier: 'gold' }))).toEqual([400, 'invalid_request']);
    expect(outcome(await new Browser(gateway).get(PATH))).toEqual([401, 'not_signed_in']);
    expect((await browser.get(PATH)).body).toEqual({ tier: 'open', requested: null });
  });
});
