import { randomBytes } from 'node:crypto';
import { generateApiKey } from '@plimsoll/access';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { KeyLookup } from '../../src/identity/callers/key-lookup';
import { Fixture, call, randomAddress } from '../fixture';
import { outcome } from './browser';

jest.setTimeout(60_000);

const PATHS = [
  'sign-up',
  'log-in',
  'email-check/send',
  'email-check/confirm',
  'password/forgot',
  'password/reset',
];

describe('clients without an account', () => {
  let fixture: Fixture;
  let app: NestFastifyApplication;
  let gateway: string;

  beforeAll(async () => {
    fixture = await Fixture.start();
    ({ app, origin: gateway } = await fixture.app());
  });
  afterAll(async () => {
    await app.close();
    await fixture.stop();
  });

  const post = (path: string, body: string, address = randomAddress()) =>
    call(gateway, `/account/v1/${path}`, undefined, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    });

  it.each(PATHS)('POST /account/v1/%s: 413 for more than 4 KiB', async (path) => {
    const body = JSON.stringify({ password: 'x'.repeat(4_096) });
    const response = await post(path, body);
    expect(outcome(response)).toEqual([413, 'body_too_large']);
    expect(response.body.detail).toBe('Send a body of at most 4 KiB.');
  });

  it.each(PATHS)(
    'POST /account/v1/%s: invalid bodies count toward the limit of the address',
    async (path) => {
      const address = randomAddress();
      const responses = await Promise.all(Array.from({ length: 80 }, () => post(path, '{"a"', address)));
      const statuses = responses.map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([400, 429]));
      // A window may end meanwhile, so that twice the largest limit of 20 is admitted.
      expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(40);
    },
  );

  it('invalid API keys of an address that sent many do not reach the database', async () => {
    const find = jest.spyOn(app.get(KeyLookup, { strict: false }), 'find');
    const address = randomAddress();
    const guess = (key: string) =>
      call(gateway, '/v1/positions', key, { headers: { 'x-forwarded-for': address } });
    for (let i = 0; i < 200; i += 1) await guess(generateApiKey('live', randomBytes));
    // 60 are looked up in a minute, and two windows may meet.
    expect(find.mock.calls.length).toBeLessThanOrEqual(125);
    const { key } = await fixture.account('pro');
    expect((await call(gateway, '/v1/positions', key)).status).toBe(200);
    expect((await guess(key)).status).toBe(200);
  });
});
