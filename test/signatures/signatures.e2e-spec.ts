import { randomBytes } from 'node:crypto';
import { WEBHOOK_EVENT_TYPES, WEBHOOK_HEADERS } from '@plimsoll/contracts';
import type { ReceivedRequest } from '@plimsoll/testing';
import { Webhook } from 'standardwebhooks';
import { isGenuineBy, isGenuineByStandard } from './run-snippet';
import { LANGUAGES, type Language } from './snippets';
import { type WebhookService, startWebhookService } from './webhook-service';

/** `npm run tool -- signatures` runs all languages. The default needs only Node. */
const languages = (process.env['SIGNATURE_LANGUAGES'] ?? 'js').split(',') as Language[];

const headerOf = ({ headers }: ReceivedRequest, name: string): string => String(headers[name]);
const signatureOf = (request: ReceivedRequest): string => headerOf(request, WEBHOOK_HEADERS.signature);
const otherSecret = `whsec_${randomBytes(32).toString('base64')}`;

describe('the signatures of a delivery', () => {
  let service: WebhookService;

  beforeAll(async () => {
    service = await startWebhookService();
  }, 60_000);
  afterAll(() => service.stop(), 30_000);

  it('exist for each language that has a snippet', () => {
    expect(LANGUAGES).toEqual(expect.arrayContaining(languages));
  });

  describe.each(languages)('by the documented lines in %s', (language) => {
    it('are right for every event type', async () => {
      for (const event of WEBHOOK_EVENT_TYPES) {
        const request = await service.deliver(event);
        const question = { rawBody: request.body, signature: signatureOf(request), secret: service.secret };
        expect([event, await isGenuineBy(language, question)]).toEqual([event, true]);
      }
    }, 240_000);

    it('are wrong for a changed body, another secret, and another or no signature', async () => {
      const request = await service.deliver('alert.created');
      const question = { rawBody: request.body, signature: signatureOf(request), secret: service.secret };
      const changed = Buffer.from(request.body);
      changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
      for (const change of [
        { rawBody: changed },
        { secret: otherSecret },
        { signature: question.signature.toUpperCase() },
        { signature: question.signature.slice(1) },
        { signature: '' },
      ]) {
        expect([change, await isGenuineBy(language, { ...question, ...change })]).toEqual([change, false]);
      }
    }, 240_000);
  });

  describe('by the stock package of Standard Webhooks', () => {
    const verify = (secret: string, { body, headers }: ReceivedRequest): unknown =>
      new Webhook(secret).verify(body.toString(), headers as Record<string, string>);

    it('are right by the documented line, and wrong with another secret', async () => {
      const { body, headers } = await service.deliver('alert.created');
      expect(await isGenuineByStandard(body, headers, service.secret)).toBe(true);
      expect(await isGenuineByStandard(body, headers, otherSecret)).toBe(false);
    }, 60_000);

    it('are right for every event type', async () => {
      for (const event of WEBHOOK_EVENT_TYPES) {
        expect(verify(service.secret, await service.deliver(event))).toMatchObject({ event });
      }
    });

    it('are wrong for a changed body, another secret and another time', async () => {
      const request = await service.deliver('alert.created');
      const later = { ...request.headers, 'webhook-timestamp': '1795262400' };
      expect(() => verify(service.secret, { ...request, body: Buffer.from('{}') })).toThrow();
      expect(() => verify(otherSecret, request)).toThrow();
      expect(() => verify(service.secret, { ...request, headers: later })).toThrow();
    });
  });

  it('are right with either secret while a rotation overlaps', async () => {
    const next = await service.rotate();
    const request = await service.deliver('test.ping');
    for (const language of languages) {
      for (const [header, secret] of [
        [WEBHOOK_HEADERS.signature, service.secret],
        [WEBHOOK_HEADERS.signatureNext, next],
      ] as const) {
        const question = { rawBody: request.body, signature: headerOf(request, header), secret };
        expect([language, header, await isGenuineBy(language, question)]).toEqual([language, header, true]);
      }
    }
    for (const secret of [service.secret, next]) {
      const headers = request.headers as Record<string, string>;
      expect(new Webhook(secret).verify(request.body.toString(), headers)).toMatchObject({
        event: 'test.ping',
      });
    }
  }, 240_000);
});
