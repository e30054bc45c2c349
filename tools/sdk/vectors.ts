import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/* Every client must decide these in the same way. Signatures are by the reference library of Standard Webhooks. */

type Headers = Record<string, string>;

/** A webhook request and its verdict. */
export interface WebhookVector {
  name: string;
  /** The bytes of the body. */
  bodyBase64: string;
  headers: Headers;
  secrets: string[];
  toleranceSeconds?: number;
  acceptWithoutTime?: boolean;
  /** Null: the request is genuine. */
  code: string | null;
}

/** The wait that a response states. */
export interface StatedWaitVector {
  status: number;
  headers: Headers;
  waitMs: number | null;
}

/** The wait before the next attempt. */
export interface WaitVector {
  attempt: number;
  statedMs: number | null;
  random: number;
  /** Null: no attempt follows. */
  waitMs: number | null;
}

export interface Vectors {
  /** The clock of every vector, milliseconds since 1970. */
  nowMs: number;
  webhooks: WebhookVector[];
  statedWaits: StatedWaitVector[];
  waits: WaitVector[];
}

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const ID = 'evt_0000000000000000000001';
/** They protect nothing: no endpoint has them. */
const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [SECRET, NEXT, OTHER] = [secretOf(1), secretOf(2), secretOf(3)];
const BODY = JSON.stringify({
  event: 'test.ping',
  timestamp: '2026-11-21T12:00:00.000Z',
  webhookId: 'wh_0000000000000000000001',
  eventId: ID,
  data: { message: 'ping é', webhookId: 'wh_0000000000000000000001', timestamp: '2026-11-21T12:00:00.000Z' },
  later: { a: 1 },
});

function standard(body: string, secret: string, atMs = NOW): Headers {
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(atMs / 1_000)),
    'webhook-signature': new Webhook(secret).sign(ID, new Date(atMs), body),
  };
}
const simple = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

export function vectors(): Vectors {
  return { nowMs: NOW, webhooks: webhookVectors(), statedWaits: statedWaits(), waits: waits() };
}

function webhookVectors(): WebhookVector[] {
  const genuine = standard(BODY, SECRET);
  const both = {
    ...genuine,
    'webhook-signature': `${genuine['webhook-signature']} ${standard(BODY, NEXT)['webhook-signature']}`,
  };
  const simples = {
    'x-service-signature': simple(BODY, SECRET),
    'x-service-signature-next': simple(BODY, NEXT),
  };
  const ofSimple = { headers: { 'x-service-signature': simple(BODY, SECRET) }, acceptWithoutTime: true };
  const old = { ...standard(BODY, SECRET, NOW - 900_000), 'x-service-signature': simple(BODY, SECRET) };
  const without = (name: string): Headers =>
    Object.fromEntries(Object.entries(old).filter(([each]) => each !== name));
  const flipped = Buffer.from(BODY);
  flipped.writeUInt8(flipped.readUInt8(30) ^ 1, 30);
  const changed = 'signature_wrong';

  type Given = Partial<Omit<WebhookVector, 'bodyBase64'>> & { body?: string | Buffer };
  const vector = (
    name: string,
    code: string | null,
    { body = BODY, ...given }: Given = {},
  ): WebhookVector => ({
    name,
    headers: genuine,
    secrets: [SECRET],
    ...given,
    bodyBase64: Buffer.from(body).toString('base64'),
    code,
  });
  const signedBody = (name: string, code: string | null, body: string): WebhookVector =>
    vector(name, code, { body, headers: standard(body, SECRET) });
  return [
    vector('a request of the platform', null),
    vector('an earlier secret is also known', null, { secrets: [OTHER, SECRET] }),
    vector('both signatures of a rotation, the old secret', null, { headers: both }),
    vector('both signatures of a rotation, the new secret', null, { headers: both, secrets: [NEXT] }),
    vector('both signatures of a rotation, another secret', changed, { headers: both, secrets: [OTHER] }),
    vector('another secret', changed, { secrets: [OTHER] }),
    vector('a longer body', changed, { body: `${BODY} ` }),
    vector('one bit of the body', changed, { body: flipped }),
    vector('no body', changed, { body: '' }),
    vector('a body that a parser wrote again', changed, { body: JSON.stringify(JSON.parse(BODY), null, 1) }),
    vector('an escaped letter', changed, { body: BODY.replace('"event"', String.raw`"\u0065vent"`) }),
    vector('a byte order mark', changed, { body: `\uFEFF${BODY}` }),
    vector('another id', changed, { headers: { ...genuine, 'webhook-id': 'evt_2' } }),
    vector('299 s old', null, { headers: standard(BODY, SECRET, NOW - 299_000) }),
    vector('301 s old', 'timestamp_too_old', { headers: standard(BODY, SECRET, NOW - 301_000) }),
    vector('301 s in the future', 'timestamp_in_future', { headers: standard(BODY, SECRET, NOW + 301_000) }),
    vector('900 s old, which is allowed', null, {
      headers: standard(BODY, SECRET, NOW - 900_000),
      toleranceSeconds: 1_000,
    }),
    vector('old, with a right simple signature', 'timestamp_too_old', { headers: old }),
    vector('wrong, with a right simple signature', changed, {
      headers: { ...standard(BODY, OTHER), 'x-service-signature': simple(BODY, SECRET) },
    }),
    ...Object.keys(genuine).map((name) =>
      vector(`recorded, without ${name}`, 'timestamp_missing', { headers: without(name) }),
    ),
    vector('the simple scheme', null, ofSimple),
    vector('the simple scheme, a changed body', changed, { ...ofSimple, body: `${BODY} ` }),
    vector('the simple scheme, another secret', changed, { ...ofSimple, secrets: [OTHER] }),
    vector('the simple scheme, the old secret of a rotation', null, { ...ofSimple, headers: simples }),
    vector('the simple scheme, the new secret of a rotation', null, {
      ...ofSimple,
      headers: simples,
      secrets: [NEXT],
    }),
    vector('the simple scheme in capitals', changed, {
      ...ofSimple,
      headers: { 'x-service-signature': simple(BODY, SECRET).toUpperCase() },
    }),
    vector('the simple scheme, no digit', changed, { headers: { 'x-service-signature': 'zz' } }),
    vector('the simple scheme, an empty signature', changed, { headers: { 'x-service-signature': '' } }),
    vector('no signature', 'signature_missing', { headers: {} }),
    ...['now', '1e9', '١٢٣', '-1', ''].map((time) =>
      vector(`the time ${JSON.stringify(time)}`, 'timestamp_invalid', {
        headers: { ...genuine, 'webhook-timestamp': time },
      }),
    ),
    vector('signatures that are none', changed, {
      headers: { ...genuine, 'webhook-signature': 'v1,%%% v2,abc v1a,AA==' },
    }),
    ...['', 'secret', 'whsec_', 'whsec_%'].map((secret) =>
      vector(`the secret ${JSON.stringify(secret)}`, 'secret_invalid', { secrets: [secret] }),
    ),
    ...['[]', 'null', '{', '{"event":1}', '"event"'].map((body) =>
      signedBody(`the signed body ${body}`, 'body_invalid', body),
    ),
    signedBody('an event of a later release', null, JSON.stringify({ event: 'later.event', eventId: ID })),
  ];
}

const statedWaits = (): StatedWaitVector[] => [
  { status: 429, headers: { 'retry-after': '7' }, waitMs: 7_000 },
  { status: 503, headers: { 'retry-after': '2' }, waitMs: 2_000 },
  { status: 503, headers: { 'retry-after': '-2' }, waitMs: 0 },
  { status: 503, headers: { 'retry-after': '0' }, waitMs: 0 },
  { status: 503, headers: { 'retry-after': 'Sat, 21 Nov 2026 12:00:05 GMT' }, waitMs: 5_000 },
  { status: 429, headers: { 'retry-after': 'soon' }, waitMs: null },
  { status: 429, headers: { 'x-ratelimit-reset': '2026-11-21T12:00:31.000Z' }, waitMs: 31_000 },
  {
    status: 429,
    headers: { 'retry-after': '2', 'x-ratelimit-reset': '2026-11-21T12:00:31.000Z' },
    waitMs: 2_000,
  },
  { status: 429, headers: { 'x-ratelimit-reset': '2026-11-21T11:59:59.000Z' }, waitMs: 0 },
  { status: 429, headers: { 'x-ratelimit-reset': 'never' }, waitMs: null },
  { status: 500, headers: { 'x-ratelimit-reset': '2026-11-21T12:00:31.000Z' }, waitMs: null },
  { status: 500, headers: {}, waitMs: null },
];

const waits = (): WaitVector[] => [
  ...[500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000].flatMap((most, index) => [
    { attempt: index + 1, statedMs: null, random: 1, waitMs: most },
    { attempt: index + 1, statedMs: null, random: 0, waitMs: most / 2 },
  ]),
  { attempt: 1, statedMs: 0, random: 0, waitMs: 62.5 },
  { attempt: 1, statedMs: 10_000, random: 0, waitMs: 10_062.5 },
  { attempt: 1, statedMs: 60_000, random: 0, waitMs: 60_062.5 },
  { attempt: 1, statedMs: 60_001, random: 0, waitMs: null },
];
