import { ANSWER_GENERATORS, TIERS } from '@plimsoll/contracts';
import type { Json } from './components';

const text = (description: string, example: string, schema: Json = {}): Json => ({
  description,
  schema: { type: 'string', ...schema },
  example,
});
const count = (description: string, example: number): Json => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});
const always = (header: Json): Json => ({ ...header, required: true });

/** Headers of answers, by name; the required ones are on every answer of /v1 (api-v1.md, Response headers). */
export const HEADERS = {
  'X-RateLimit-Limit': always(count('Calls that the account may make in a minute.', 60)),
  'X-RateLimit-Remaining': always(count('Calls left in this minute.', 59)),
  'X-RateLimit-Reset': always(
    text(
      'When the minute ends and all calls are there again; after daily_limit_exceeded: the next UTC midnight.',
      '2026-11-21T12:00:41.000Z',
      {
        format: 'date-time',
      },
    ),
  ),
  'X-DailyLimit-Limit': count(
    'Calls that the account may make in a UTC day. Absent where there is no daily limit.',
    100_000,
  ),
  'X-DailyLimit-Remaining': count(
    'Calls left in this UTC day. Absent where there is no daily limit.',
    99_412,
  ),
  'X-Service-Tier': always(
    text('Tier of the account; `open` for a call without a valid key.', 'pro', { enum: [...TIERS] }),
  ),
  'X-Request-Id': always(
    text(
      'Id of this call: the caller’s own where it sent one, else a new one. Report it.',
      'req_01aBcDeFgHiJkLmNoPqRsT',
    ),
  ),
  RateLimit: text(
    'The same as the IETF’s RateLimit field: the policy, `r` calls left, `t` seconds until its window ends.',
    '"minute";r=59;t=41',
  ),
  'RateLimit-Policy': text(
    'The IETF’s RateLimit-Policy field: `q` calls in `w` seconds.',
    '"minute";q=60;w=60',
  ),
  'Retry-After': text('Seconds after which to try again.', '17', { pattern: '^[0-9]+$' }),
  ETag: text('Version of the answer, for If-None-Match.', '"1c-9f8Yk3"'),
  'Idempotency-Replayed': text(
    '`true`: this is the first answer to this Idempotency-Key, and nothing was done again.',
    'true',
    {
      const: 'true',
    },
  ),
  'X-Answer-Generator': text(
    'Who wrote the answer: a language model, or the templates. The figures are the same facts.',
    'template',
    { enum: [...ANSWER_GENERATORS] },
  ),
} as const satisfies Record<string, Json>;
export type HeaderName = keyof typeof HEADERS;

/** On every answer. */
export const COMMON_HEADERS: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-DailyLimit-Limit',
  'X-DailyLimit-Remaining',
  'X-Service-Tier',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
];

/** References to the common headers and some more. */
export function headerRefs(...more: readonly HeaderName[]): Json {
  return Object.fromEntries(
    [...COMMON_HEADERS, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Headers that a call may carry, as parameters. */
export const REQUEST_HEADERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A new random text for each thing to be done. Sent again with the same body within 24 hours, the first answer comes back and nothing is done twice; with another body it is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: '6f1d2c1e-8a4b-4c36-9a52-0f6b1f0c7f11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETag of the answer that the caller has. 304 without a body when it is still the same.',
    schema: { type: 'string' },
    example: '"1c-9f8Yk3"',
  },
} as const;
