import { PlimsollError } from './errors';
import type { components } from './generated/openapi';
import { parseJson } from './json';

const TOLERANCE_SECONDS = 300;
const STANDARD_PREFIX = 'whsec_';

type Schemas = components['schemas'];
/** The event of a webhook request. `event` decides the type of `data`. */
export type WebhookEvent =
  | Schemas['AlertCreatedEvent']
  | Schemas['AlertEscalatedEvent']
  | Schemas['AlertUpdatedEvent']
  | Schemas['AlertResolvedEvent']
  | Schemas['AlertGroupEvent']
  | Schemas['PositionUpdatedEvent']
  | Schemas['PositionLiquidationRiskEvent']
  | Schemas['TestPingEvent'];

export interface VerifyOptions {
  /** Largest difference between the time of the request and the clock. Default: 300. */
  toleranceSeconds?: number;
  /**
   * Accepts a request that has only x-service-signature. That scheme signs no time, so a request that someone
   * recorded passes whenever it is sent again. Default: false.
   */
  acceptWithoutTime?: boolean;
  /** Milliseconds since 1970. Default: the clock. */
  nowMs?: number;
}

/** WebCrypto takes no shared memory. */
type Bytes = Uint8Array<ArrayBuffer>;
type HeaderSource = Headers | Record<string, string | string[] | undefined>;

/** The signature of a webhook request is not genuine. `code` says why. */
export class WebhookVerificationError extends PlimsollError {
  override readonly name = 'WebhookVerificationError';
}

/**
 * Verifies that Plimsoll sent a webhook request, and returns its event.
 * @param rawBody the bytes as they arrived, before any JSON parser
 * @param secret signing secret of the endpoint, or several while a rotation overlaps
 * @throws WebhookVerificationError with code `signature_missing`, `signature_wrong`, `timestamp_missing`,
 * `timestamp_invalid`, `timestamp_too_old`, `timestamp_in_future`, `body_invalid` or `secret_invalid`
 */
async function verify(
  rawBody: Uint8Array | string,
  headers: HeaderSource,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, acceptWithoutTime = false, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : Uint8Array.from(rawBody);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const header = reader(headers);
  const [standard, id, timestamp] = ['webhook-signature', 'webhook-id', 'webhook-timestamp'].map(header);
  const simple = ['x-service-signature', 'x-service-signature-next']
    .map(header)
    .filter((each) => each !== null);
  // The standard scheme also signs the time, so a recorded request cannot be sent again later. It decides
  // whenever it is there. Plimsoll always sends it, so a request without it has lost it on the way, and an
  // attacker could remove it.
  if (standard != null && id != null && timestamp != null) {
    checkTime(timestamp, toleranceSeconds, nowMs);
    const signed = joined(`${id}.${timestamp}.`, body);
    const given = standard.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
    await requireOne(secrets.map(standardKey), signed, given.map(fromBase64));
  } else if (simple.length > 0) {
    await requireOne(secrets.map(simpleKey), body, simple.map(fromHex));
    if (!acceptWithoutTime)
      throw new WebhookVerificationError(
        'timestamp_missing',
        'The request has no webhook-signature, so its time is unknown. Pass all headers of the request.',
      );
  } else {
    throw new WebhookVerificationError(
      'signature_missing',
      'The request has no signature header. Pass the headers of the request as they arrived.',
    );
  }
  return eventOf(body);
}

function eventOf(body: Bytes): WebhookEvent {
  let value: unknown;
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw new WebhookVerificationError('body_invalid', 'The signed body is no JSON.', { cause: error });
  }
  if (typeof (value as Partial<WebhookEvent> | null)?.event !== 'string')
    throw new WebhookVerificationError('body_invalid', 'The signed body is no event.');
  return value as WebhookEvent;
}

export const webhooks = { verify };

function reader(headers: HeaderSource): (name: string) => string | null {
  if (typeof headers.get === 'function') return (name) => (headers as Headers).get(name);
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = lower.get(name);
    return (Array.isArray(value) ? value.join(' ') : value) ?? null;
  };
}

function checkTime(timestamp: string, toleranceSeconds: number, nowMs: number): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const age = nowMs / 1_000 - seconds;
  if (Number.isNaN(age))
    throw new WebhookVerificationError('timestamp_invalid', 'webhook-timestamp is no number of seconds.');
  if (age > toleranceSeconds)
    throw new WebhookVerificationError('timestamp_too_old', `The request is ${Math.round(age)} s old.`);
  if (age < -toleranceSeconds)
    throw new WebhookVerificationError(
      'timestamp_in_future',
      `The request is ${Math.round(-age)} s in the future. Check the clock of this machine.`,
    );
}

/** The comparison is that of WebCrypto, which takes the same time for every signature. */
async function requireOne(
  keys: readonly Bytes[],
  signed: Bytes,
  signatures: readonly (Bytes | null)[],
): Promise<void> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const key of keys) {
    const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
    for (const signature of signatures)
      if (signature && (await crypto.subtle.verify('HMAC', imported, signature, signed))) return;
  }
  throw new WebhookVerificationError(
    'signature_wrong',
    'No signature matches. Pass the bytes of the body before any JSON parser, and the secret of this endpoint.',
  );
}

function standardKey(secret: string): Bytes {
  const key = secret.startsWith(STANDARD_PREFIX) ? fromBase64(secret.slice(STANDARD_PREFIX.length)) : null;
  if (key === null || key.length === 0)
    throw new WebhookVerificationError('secret_invalid', 'A signing secret is whsec_ and base64.');
  return key;
}

const simpleKey = (secret: string): Bytes => {
  standardKey(secret);
  return new TextEncoder().encode(secret);
};

function joined(text: string, body: Bytes): Bytes {
  const head = new TextEncoder().encode(text);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

/** Null for text that is no base64. */
function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function fromHex(text: string): Bytes | null {
  if (!/^([0-9a-f]{2})+$/.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
