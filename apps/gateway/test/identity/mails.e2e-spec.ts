import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { waitFor } from '@plimsoll/testing';
import { Client } from 'pg';
import { Housekeeping } from '../../src/identity/accounts/housekeeping';
import { Browser, outcome } from './browser';
import { Fixture, call } from '../fixture';
import { MailServer } from './mail-server';

jest.setTimeout(60_000);

const PUBLIC_URL = 'https://api.example.com';

describe('with SMTP_URL', () => {
  const server = new MailServer();
  let fixture: Fixture;
  let app: NestFastifyApplication;
  let gateway: string;

  beforeAll(async () => {
    await server.start();
    fixture = await Fixture.start();
    const mail = { SMTP_URL: server.url, MAIL_FROM: 'Plimsoll <no-reply@example.com>' };
    ({ app, origin: gateway } = await fixture.app({ ...mail, PUBLIC_URL }));
  });
  afterAll(async () => {
    await app.close();
    await fixture.stop();
    await server.stop();
  });

  const housekeeping = () => app.get(Housekeeping, { strict: false });

  async function sql(text: string): Promise<unknown[]> {
    const client = new Client({ connectionString: fixture.database.url, options: '-c search_path=gateway' });
    await client.connect();
    const { rows } = await client.query<object>(text);
    await client.end();
    return rows;
  }

  const checked = async (): Promise<Browser> => {
    const browser = new Browser(gateway);
    await browser.signUp();
    const token = await server.codeTo(browser.email);
    await browser.post('/account/v1/email-check/confirm', { token });
    return browser;
  };

  it('an account can log in when its address is confirmed', async () => {
    const browser = new Browser(gateway);
    const made = await browser.signUp();
    expect([made.status, made.body]).toEqual([202, { status: 'check_email' }]);
    const { text } = await server.mailTo(browser.email);
    expect(outcome(await browser.logIn('wrong password'))).toEqual([401, 'invalid_credentials']);
    expect(outcome(await browser.logIn())).toEqual([403, 'email_not_verified']);
    const token = await server.codeTo(browser.email);
    expect(text).toContain(`${PUBLIC_URL}/portal/confirm-email#${token}`);
    expect(text).toContain('From: Plimsoll <no-reply@example.com>');
    expect((await browser.post('/account/v1/email-check/confirm', { token })).status).toBe(200);
    const { status, body } = await browser.logIn();
    expect([status, body.account]).toEqual([
      200,
      expect.objectContaining({ emailVerifiedAt: expect.stringMatching(/Z$/) }),
    ]);
  });

  it('a code works once, and a newer one ends it', async () => {
    const browser = new Browser(gateway);
    await browser.signUp();
    const first = await server.codeTo(browser.email);
    await browser.post('/account/v1/email-check/send', { email: browser.email });
    const second = await server.codeTo(browser.email, 1);
    const confirm = (token: string) => browser.post('/account/v1/email-check/confirm', { token });
    expect((await confirm(first)).body.errors).toMatchObject([{ field: 'token', code: 'invalid_token' }]);
    // A code has only one purpose.
    const reset = { token: second, password: 'another horse altogether' };
    expect(outcome(await browser.post('/account/v1/password/reset', reset))).toEqual([
      400,
      'invalid_request',
    ]);
    expect((await confirm(second)).status).toBe(200);
    expect(outcome(await confirm(second))).toEqual([400, 'invalid_request']);
    expect(outcome(await confirm('short'))).toEqual([400, 'invalid_request']);
  });

  it('a sign-up does not reveal whether the address has an account; its owner is notified', async () => {
    const browser = await checked();
    const stranger = new Browser(gateway, browser.email);
    const response = await stranger.signUp();
    expect([response.status, response.body]).toEqual([202, { status: 'check_email' }]);
    const { text } = await server.mailTo(browser.email, 1);
    expect(text).toContain('Nothing was changed');
    expect((await browser.logIn()).status).toBe(200);
  });

  it('a mail resets a forgotten password, and every session ends', async () => {
    const browser = await checked();
    await browser.logIn();
    const email = { email: browser.email };
    const asked = await new Browser(gateway).post('/account/v1/password/forgot', email);
    const unknown = await new Browser(gateway).post('/account/v1/password/forgot', {
      email: 'nobody@example.com',
    });
    expect([asked.status, asked.body]).toEqual([unknown.status, unknown.body]);
    const token = await server.codeTo(browser.email, 1);
    const reset = (password: string) => browser.post('/account/v1/password/reset', { token, password });
    expect(outcome(await reset('short'))).toEqual([400, 'invalid_request']);
    expect((await reset('another horse altogether')).status).toBe(200);
    expect(outcome(await browser.get('/account/v1/session'))).toEqual([401, 'not_signed_in']);
    expect((await browser.logIn()).status).toBe(401);
    expect((await browser.logIn('another horse altogether')).status).toBe(200);
    expect(outcome(await reset('yet another horse of mine'))).toEqual([400, 'invalid_request']);
    expect((await server.mailTo(browser.email, 2)).text).toContain('was changed just now');
    expect(server.mails.some(({ to }) => to === 'nobody@example.com')).toBe(false);
  });

  it('a code sets the password of its own sign-up, so that no other person chooses it', async () => {
    const attacker = new Browser(gateway);
    await attacker.signUp();
    await server.codeTo(attacker.email);
    const owner = new Browser(gateway, attacker.email);
    const own = { email: owner.email, password: 'the password of the owner' };
    expect((await owner.post('/account/v1/sign-up', own)).status).toBe(202);
    const token = await server.codeTo(owner.email, 1);
    // A later sign-up does not invalidate the code.
    await attacker.signUp();
    const other = await server.codeTo(owner.email, 2);
    expect((await owner.post('/account/v1/email-check/confirm', { token })).status).toBe(200);
    expect((await attacker.logIn()).status).toBe(401);
    expect((await owner.logIn(own.password)).status).toBe(200);
    const late = await attacker.post('/account/v1/email-check/confirm', { token: other });
    expect(outcome(late)).toEqual([400, 'invalid_request']);
  });

  it('an account that is never confirmed is deleted with its last code', async () => {
    const browser = new Browser(gateway);
    await browser.signUp();
    await server.codeTo(browser.email);
    const confirmed = await checked();
    await sql(`UPDATE accounts SET expires_at = now() - interval '1 second' WHERE expires_at IS NOT NULL`);
    await housekeeping().clean();
    const left = await sql(`SELECT email FROM accounts`);
    expect(left).not.toContainEqual({ email: browser.email.toLowerCase() });
    expect(left).toContainEqual({ email: confirmed.email.toLowerCase() });
  });

  it.each([
    [{}, 401],
    [{ keepKeys: true }, 200],
  ])('a reset with %j leaves the keys of the account at %i', async (options, status) => {
    const browser = await checked();
    await browser.logIn();
    const { body } = await browser.post('/account/v1/keys', { name: 'of the attacker' });
    const { key } = body.key as { key: string };
    expect((await call(gateway, '/v1/positions', key)).status).toBe(200);
    await browser.post('/account/v1/password/forgot', { email: browser.email });
    const token = await server.codeTo(browser.email, 1);
    const reset = { token, password: 'another horse altogether', ...options };
    expect((await browser.post('/account/v1/password/reset', reset)).status).toBe(200);
    await waitFor(async () => (await call(gateway, '/v1/positions', key)).status === status, {
      message: `${status} for the key`,
    });
  });

  it('mails announce a new key and a log-in from a new address', async () => {
    const browser = await checked();
    await browser.logIn();
    await browser.post('/account/v1/keys', { name: 'production' });
    expect((await server.mailTo(browser.email, 1)).text).toContain('"production" was created');
    const elsewhere = new Browser(gateway, browser.email);
    await elsewhere.logIn();
    expect((await server.mailTo(browser.email, 2)).text).toContain(`from ${elsewhere.address}`);
  });

  it('20 mails for a stranger leave the owner with a known device able to recover', async () => {
    const owner = await checked();
    await owner.logIn();
    const email = { email: owner.email };
    const responses = await Promise.all(
      Array.from({ length: 21 }, () => new Browser(gateway).post('/account/v1/password/forgot', email)),
    );
    expect(responses.some(({ status }) => status === 429)).toBe(true);
    expect((await owner.post('/account/v1/password/forgot', email)).status).toBe(202);
  });

  it('a mail that a server rejects temporarily is sent again, one that it rejects permanently is not', async () => {
    server.refusals.push({ responseCode: 451 });
    const later = new Browser(gateway);
    await later.signUp();
    expect(await server.codeTo(later.email)).not.toBe('');
    server.refusals.push({ responseCode: 550 });
    await new Browser(gateway).signUp();
    await waitFor(() => server.refusals.length === 0, { message: 'the refusal' });
    const next = new Browser(gateway);
    await next.signUp();
    expect(await server.codeTo(next.email)).not.toBe('');
  });

  it.each(['email-check/send', 'password/forgot'])('429 for too many mails: %s', async (path) => {
    const email = `flooded-${path.length}@example.com`;
    const client = new Browser(gateway);
    const responses = await Promise.all(
      Array.from({ length: 7 }, () => client.post(`/account/v1/${path}`, { email })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202, 429]));
  });

  it('429 for codes that are guessed', async () => {
    const browser = new Browser(gateway);
    const responses = await Promise.all(
      Array.from({ length: 21 }, () =>
        browser.post('/account/v1/email-check/confirm', { token: 'x'.repeat(43) }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400, 429]));
  });
});
