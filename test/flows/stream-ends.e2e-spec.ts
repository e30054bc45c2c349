import {
  type EventCollector,
  type EventPublisher,
  collectEvents,
  startPublisher,
  waitFor,
} from '@plimsoll/testing';
import { tombstone } from '@plimsoll/event-bus';
import { Browser } from '../../apps/gateway/test/identity/browser';
import { MailServer } from '../../apps/gateway/test/identity/mail-server';
import { Fixture, type TestKey, call, randomAddress } from '../../apps/gateway/test/fixture';
import { type Opened, type StreamClient, open } from '../../apps/streams/test/stream-client';
import { StreamsHarness } from '../../apps/streams/test/streams-harness';

const MOST_MS = 1_000;
/** Close codes of the documents. */
const [FORBIDDEN, KEY_ENDED, SESSION_ENDED, ACCOUNT_ENDED] = [4503, 4505, 4506, 4507];

describe('a stream outlives no authorisation', () => {
  const mails = new MailServer();
  let fixture: Fixture;
  let streams: StreamsHarness;
  let gateway: string;
  let accounts: EventCollector<'account.v1'>;
  let publisher: EventPublisher;

  beforeAll(async () => {
    await mails.start();
    fixture = await Fixture.start();
    publisher = await startPublisher(fixture.database.url, fixture.kafka);
    streams = await StreamsHarness.start({
      IDENTITY_KEYS_FOLDER: fixture.identityKeys,
      KAFKA_TOPIC_PREFIX: fixture.kafka.topicPrefix,
    });
    accounts = await collectEvents(fixture.kafka, 'account.v1');
    gateway = await fixture.gateway({
      UPSTREAM_STREAMS: streams.origin,
      PUBLIC_URL: 'http://127.0.0.1',
      SMTP_URL: mails.url,
      MAIL_FROM: 'Plimsoll <no-reply@example.com>',
    });
  }, 120_000);
  afterAll(async () => {
    await accounts?.stop();
    await publisher?.stop();
    await streams?.close();
    await fixture?.stop();
    await mails.stop();
  });

  /** A browser that is signed in to an enterprise account. */
  async function signedIn(): Promise<Browser> {
    const browser = new Browser(gateway);
    await browser.signUp();
    await browser.post('/account/v1/email-check/confirm', { token: await mails.codeTo(browser.email) });
    await browser.logIn();
    await tier(browser.email, 'enterprise');
    return browser;
  }
  async function tier(email: string, name: string): Promise<void> {
    await fixture.admin('accounts', 'set-tier', '--email', email, '--tier', name);
  }
  const streamUrl = (): string => `${gateway.replace('http', 'ws')}/v1/streams/alerts`;
  const ticketOf = async (browser: Browser): Promise<string> => {
    const { body } = await waitFor(
      async () => {
        const response = await browser.post('/v1/streams/tickets');
        return response.status === 201 && response;
      },
      { message: 'a ticket' },
    );
    return String(body.ticket);
  };
  const redeem = (ticket: string): Promise<Opened> =>
    open(`${streamUrl()}?ticket=${ticket}`, { headers: { 'x-forwarded-for': randomAddress() } });
  const taken = (opened: Opened): StreamClient => {
    if ('client' in opened) return opened.client;
    throw new Error(`refused with ${opened.status}: ${opened.body}`);
  };
  const ofBrowser = async (browser: Browser): Promise<StreamClient> =>
    taken(await redeem(await ticketOf(browser)));
  const ofKey = async ({ key }: Pick<TestKey, 'key'>): Promise<StreamClient> =>
    taken(await open(streamUrl(), { headers: { 'x-api-key': key } }));
  const keyOf = async (browser: Browser): Promise<{ id: string; key: string }> =>
    (await browser.post('/account/v1/keys', { name: 'streams' })).body.key as { id: string; key: string };

  /** How the stream was closed, at most a second after the response that confirms the cause. */
  async function closes(client: StreamClient, code: number, cause: () => Promise<unknown>): Promise<void> {
    // A request that hashes a password takes longer than a second beside other suites.
    await cause();
    const causedAtMs = performance.now();
    const closed = await waitFor(() => client.closed, { message: 'the stream is closed', intervalMs: 5 });
    const ms = performance.now() - causedAtMs;
    expect(closed).toEqual({ code, reason: expect.stringMatching(/\w/) });
    expect(ms).toBeLessThanOrEqual(MOST_MS);
  }

  it('log-out', async () => {
    const browser = await signedIn();
    const other = new Browser(gateway, browser.email);
    await other.logIn();
    const [client, kept] = [await ofBrowser(browser), await ofBrowser(other)];
    await closes(client, SESSION_ENDED, () => browser.post('/account/v1/log-out'));
    expect(kept.closed).toBeNull();
    kept.socket.close();
  });

  it('a session that its owner ends', async () => {
    const browser = await signedIn();
    const other = new Browser(gateway, browser.email);
    await other.logIn();
    const client = await ofBrowser(other);
    const { body } = await browser.get('/account/v1/sessions');
    const [{ id }] = body.sessions as [{ id: string }];
    await closes(client, SESSION_ENDED, () => browser.delete(`/account/v1/sessions/${id}`));
  });

  it('a reset by mail: the sessions and the keys', async () => {
    const browser = await signedIn();
    const key = await keyOf(browser);
    const [ofSession, withKey] = [await ofBrowser(browser), await ofKey(key)];
    const visitor = new Browser(gateway, browser.email);
    await visitor.post('/account/v1/password/forgot', { email: browser.email });
    const token = await mails.codeTo(browser.email, 1);
    const reset = () =>
      visitor.post('/account/v1/password/reset', { token, password: 'a new long password' });
    await closes(ofSession, SESSION_ENDED, reset);
    await closes(withKey, KEY_ENDED, () => Promise.resolve());
  });

  it('a changed password: the other sessions', async () => {
    const browser = await signedIn();
    const other = new Browser(gateway, browser.email);
    await other.logIn();
    const [client, kept] = [await ofBrowser(other), await ofBrowser(browser)];
    const body = { currentPassword: browser.password, newPassword: 'a new long password' };
    await closes(client, SESSION_ENDED, () => browser.post('/account/v1/password/change', body));
    expect(kept.closed).toBeNull();
    kept.socket.close();
  });

  it('a revoked key', async () => {
    const browser = await signedIn();
    const key = await keyOf(browser);
    const client = await ofKey(key);
    await closes(client, KEY_ENDED, () => browser.delete(`/account/v1/keys/${key.id}`));
  });

  it('a lower tier: the streams of keys and sessions', async () => {
    const browser = await signedIn();
    const [ofSession, withKey] = [await ofBrowser(browser), await ofKey(await keyOf(browser))];
    await closes(ofSession, FORBIDDEN, () => tier(browser.email, 'business'));
    await closes(withKey, FORBIDDEN, () => Promise.resolve());
  });

  it('the end of the account', async () => {
    const { accountId, key } = await fixture.account('enterprise');
    const client = await ofKey({ key });
    await waitFor(() => accounts.events.some(({ key: id }) => id === accountId), { message: 'account.v1' });
    await closes(client, ACCOUNT_ENDED, () => publisher.publish(tombstone('account.v1', accountId)));
  });

  describe('a ticket is refused', () => {
    it('after the log-out of its session', async () => {
      const browser = await signedIn();
      const [client, ticket] = [await ofBrowser(browser), await ticketOf(browser)];
      await closes(client, SESSION_ENDED, () => browser.post('/account/v1/log-out'));
      expect(await redeem(ticket)).toMatchObject({ status: 401 });
    });

    it('after the end of its key', async () => {
      const browser = await signedIn();
      const key = await keyOf(browser);
      const { body } = await call(gateway, '/v1/streams/tickets', key.key, { method: 'POST' });
      const client = await ofKey(key);
      await closes(client, KEY_ENDED, () => browser.delete(`/account/v1/keys/${key.id}`));
      expect(await redeem(String(body.ticket))).toMatchObject({ status: 401 });
    });

    it('after a downgrade of its account', async () => {
      const browser = await signedIn();
      const [client, ticket] = [await ofBrowser(browser), await ticketOf(browser)];
      await closes(client, FORBIDDEN, () => tier(browser.email, 'pro'));
      expect(await redeem(ticket)).toMatchObject({ status: 403 });
    });
  });

  it('an account that was upgraded opens a stream immediately', async () => {
    const { accountId, key } = await fixture.account('business');
    await waitFor(() => accounts.events.some(({ key: id }) => id === accountId), { message: 'account.v1' });
    await fixture.admin('accounts', 'set-tier', '--id', accountId, '--tier', 'enterprise');
    (await ofKey({ key })).socket.close();
  });
});
