import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { webhooks } from './webhooks';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
const BODY = JSON.stringify({
  event: 'test.ping',
  timestamp: '2026-11-21T12:00:00.000Z',
  webhookId: 'wh_0000000000000000000001',
  eventId: 'evt_0000000000000000000001',
  data: { amountRaw: '115792089237316195423570985008687907853269984665640564039457584007913129639935' },
});

/** Headers of the Standard Webhooks scheme, signed by the reference library. */
function standard(body: string, secret: string, atMs = NOW): Record<string, string> {
  const id = 'evt_0000000000000000000001';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(atMs), body),
  };
}
const simple = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'accepted',
    ({ code }: { code: unknown }) => code,
  );

describe('webhooks.verify', () => {
  const secret = newSecret();
  const options = { nowMs: NOW };

  it('returns the event of a request that the reference library signed, with exact amounts', async () => {
    const event = await webhooks.verify(Buffer.from(BODY), standard(BODY, secret), secret, options);
    expect(event).toMatchObject({ event: 'test.ping', data: { amountRaw: 2n ** 256n - 1n } });
  });

  it('takes headers as Node, a Headers object and Express have them', async () => {
    const headers = standard(BODY, secret);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    for (const given of [headers, new Headers(headers), upper])
      expect(await codeOf(webhooks.verify(BODY, given, secret, options))).toBe('accepted');
  });

  it('accepts the simple scheme where the standard one is absent, when the caller allows it', async () => {
    const headers = { 'x-service-signature': simple(BODY, secret) };
    const allowed = { ...options, acceptWithoutTime: true };
    expect(await codeOf(webhooks.verify(BODY, headers, secret, allowed))).toBe('accepted');
    expect(await codeOf(webhooks.verify(`${BODY} `, headers, secret, allowed))).toBe('signature_wrong');
  });

  it('rejects a recorded request from which the signed time was removed', async () => {
    const recorded = {
      ...standard(BODY, secret, NOW - 900_000),
      'x-service-signature': simple(BODY, secret),
    };
    for (const removed of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const headers = Object.fromEntries(Object.entries(recorded).filter(([name]) => name !== removed));
      expect(await codeOf(webhooks.verify(BODY, headers, secret, options))).toBe('timestamp_missing');
    }
  });

  it('accepts the old and the new secret during a rotation', async () => {
    const next = newSecret();
    const both = standard(BODY, secret);
    both['webhook-signature'] += ` ${standard(BODY, next)['webhook-signature']}`;
    const simples = {
      'x-service-signature': simple(BODY, secret),
      'x-service-signature-next': simple(BODY, next),
    };
    const allowed = { ...options, acceptWithoutTime: true };
    for (const headers of [both, simples])
      for (const known of [secret, next, [newSecret(), next]])
        expect(await codeOf(webhooks.verify(BODY, headers, known, allowed))).toBe('accepted');
    expect(await codeOf(webhooks.verify(BODY, both, newSecret(), options))).toBe('signature_wrong');
  });

  it('rejects every change of one byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(BODY.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = Buffer.from(BODY);
        bytes[at]! ^= change;
        const headers = standard(BODY, secret);
        expect(await codeOf(webhooks.verify(bytes, headers, secret, options))).toBe('signature_wrong');
      }),
    );
  });

  it('rejects a body that a parser wrote again', async () => {
    const again = JSON.stringify(JSON.parse(BODY), null, 1);
    expect(await codeOf(webhooks.verify(again, standard(BODY, secret), secret, options))).toBe(
      'signature_wrong',
    );
  });

  it('rejects a request that was recorded earlier, and one of a wrong clock', async () => {
    const at = (ms: number) => codeOf(webhooks.verify(BODY, standard(BODY, secret, ms), secret, options));
    expect(await at(NOW - 299_000)).toBe('accepted');
    expect(await at(NOW - 301_000)).toBe('timestamp_too_old');
    expect(await at(NOW + 301_000)).toBe('timestamp_in_future');
    const wider = webhooks.verify(BODY, standard(BODY, secret, NOW - 900_000), secret, {
      ...options,
      toleranceSeconds: 1_000,
    });
    expect(await codeOf(wider)).toBe('accepted');
  });

  it('does not fall back to the simple scheme when the standard one is wrong or old', async () => {
    const old = {
      ...standard(BODY, secret, NOW - 900_000),
      'x-service-signature': simple(BODY, secret),
    };
    expect(await codeOf(webhooks.verify(BODY, old, secret, options))).toBe('timestamp_too_old');
    const wrong = { ...standard(BODY, newSecret()), 'x-service-signature': simple(BODY, secret) };
    expect(await codeOf(webhooks.verify(BODY, wrong, secret, options))).toBe('signature_wrong');
  });

  it.each([
    [{}, 'signature_missing'],
    [{ 'webhook-id': 'a', 'webhook-timestamp': 'now', 'webhook-signature': 'v1,AA==' }, 'timestamp_invalid'],
    [{ 'x-service-signature': 'zz' }, 'signature_wrong'],
    [{ 'x-service-signature': '' }, 'signature_wrong'],
  ])('rejects %j', async (headers, code) => {
    expect(await codeOf(webhooks.verify(BODY, headers, secret, options))).toBe(code);
  });

  it.each(['', 'secret', 'whsec_', 'whsec_%'])('names a secret that is none: %p', async (wrong) => {
    expect(await codeOf(webhooks.verify(BODY, standard(BODY, secret), wrong, options))).toBe(
      'secret_invalid',
    );
  });
});
