import type { AuditItem, SessionItem } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { Client } from 'pg';
import { Fixture } from '../fixture';
import { Browser, outcome } from './browser';

jest.setTimeout(60_000);

describe('the sessions of an account', () => {
  let fixture: Fixture;
  let gateway: string;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway();
  });
  afterAll(() => fixture.stop());

  const sessionsOf = async (browser: Browser): Promise<SessionItem[]> =>
    (await browser.get('/account/v1/sessions')).body.sessions as SessionItem[];

  async function makeOld(): Promise<void> {
    const client = new Client({ connectionString: fixture.database.url, options: '-c search_path=gateway' });
    await client.connect();
    await client.query(`UPDATE sessions SET authenticated_at = now() - interval '11 minutes'`);
    await client.end();
  }

  it('are listed with their origin, and end one by one', async () => {
    const browser = await Browser.signedIn(gateway);
    const other = new Browser(gateway, browser.email);
    other.headers = { ...other.headers, 'user-agent': 'Other/1.0' };
    await other.logIn();
    const [first, second] = await sessionsOf(browser);
    expect(first).toMatchObject({ isCurrent: false, address: other.address, userAgent: 'Other/1.0' });
    expect(second).toMatchObject({ isCurrent: true, address: browser.address });
    expect((await other.get('/v1/positions')).status).toBe(200);
    expect((await browser.delete(`/account/v1/sessions/${first?.id}`)).status).toBe(200);
    expect(outcome(await other.get('/account/v1/session'))).toEqual([401, 'not_signed_in']);
    await waitFor(async () => (await other.get('/v1/positions')).status === 401, { message: '401 at /v1' });
    expect(await sessionsOf(browser)).toHaveLength(1);
    const { body } = await browser.get('/account/v1/audit');
    expect((body.entries as AuditItem[])[0]).toMatchObject({
      action: 'session_ended',
      sessionId: second?.id,
      details: { sessionId: first?.id },
    });
  });

  it('404 for a session of another account', async () => {
    const browser = await Browser.signedIn(gateway);
    const stranger = await Browser.signedIn(gateway);
    const [session] = await sessionsOf(stranger);
    const response = await browser.delete(`/account/v1/sessions/${session?.id}`);
    expect(outcome(response)).toEqual([404, 'not_found']);
    expect((await stranger.get('/account/v1/session')).status).toBe(200);
  });

  it('403 for keys and secrets ten minutes after the password, until it is confirmed', async () => {
    const browser = await Browser.signedIn(gateway);
    await fixture.admin('accounts', 'set-tier', '--email', browser.email, '--tier', 'pro');
    const { body } = await browser.post('/account/v1/keys', { name: 'early' });
    const { id } = body.key as { id: string };
    await makeOld();
    const attempts = () =>
      Promise.all([
        browser.post('/account/v1/keys', { name: 'late' }),
        browser.post(`/account/v1/keys/${id}/rotate`, {}),
        browser.post('/v1/webhooks', { url: 'https://example.com', events: ['test.ping'] }),
      ]);
    await waitFor(
      async () => (await browser.post('/v1/webhooks', {})).body.code === 'recent_log_in_required',
      { timeoutMs: 10_000, message: 'the refusal at /v1' },
    );
    for (const response of await attempts()) {
      expect(outcome(response)).toEqual([403, 'recent_log_in_required']);
    }
    expect((await browser.get('/v1/webhooks')).status).toBe(200);
    const confirm = (password: string) => browser.post('/account/v1/session/confirm', { password });
    expect(outcome(await confirm('not the password'))).toEqual([400, 'invalid_request']);
    expect((await confirm(browser.password)).status).toBe(200);
    for (const response of await attempts()) expect(response.status).toBeLessThan(300);
  });
});
