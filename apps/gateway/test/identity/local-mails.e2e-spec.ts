import { loadConfig } from '@plimsoll/service-kit';
import { waitFor } from '@plimsoll/testing';
import { GatewayConfig } from '../../src/config';
import { Fixture, call } from '../fixture';
import { Browser, outcome } from './browser';

jest.setTimeout(60_000);

const PATH = '/portal/mail.json';
const PUBLIC_URL = 'http://127.0.0.1:4000';

describe('LOCAL_MAILS', () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await Fixture.start();
  });
  afterAll(() => fixture.stop());

  it('keeps the mail of a sign-up, whose code confirms the address', async () => {
    const gateway = await fixture.gateway({ LOCAL_MAILS: true, PUBLIC_URL });
    const browser = new Browser(gateway);
    expect((await browser.signUp()).body).toEqual({ status: 'check_email' });
    const text = await waitFor(
      async () => {
        const mails = (await browser.get(PATH)).body.mails as { to: string; text: string }[];
        return mails.find(({ to }) => to === browser.email.toLowerCase())?.text;
      },
      { message: 'the mail' },
    );
    const token = /confirm-email#([\w-]{43})/.exec(text)?.[1];
    expect((await browser.post('/account/v1/email-check/confirm', { token })).status).toBe(200);
    expect((await browser.logIn()).status).toBe(200);
  });

  it('shows mails to no page of another origin', async () => {
    const gateway = await fixture.gateway({ LOCAL_MAILS: true, PUBLIC_URL });
    const foreign = await call(gateway, PATH, undefined, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(outcome(foreign)).toEqual([403, 'foreign_origin']);
  });

  it('has no mails without it', async () => {
    const gateway = await fixture.gateway();
    expect(outcome(await new Browser(gateway).get(PATH))).toEqual([404, 'route_not_found']);
  });

  it.each([
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://api.example.com' },
    { PUBLIC_URL: '' },
    { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com' },
  ])('stops the start with %j', (different) => {
    const { HOST, PORT, ...rest } = fixture.config({ PUBLIC_URL });
    const variables = Object.entries({ ...rest, HOST, PORT, LOCAL_MAILS: 'true', ...different });
    const environment = Object.fromEntries(variables.map(([name, value]) => [name, String(value)]));
    expect(() => loadConfig(GatewayConfig, environment)).toThrow(/LOCAL_MAILS/);
  });
});
