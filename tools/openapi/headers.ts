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

/** Response headers by name. Every /v1 response has the required ones. */
export const HEADERS = {
  'X-RateLimit-Limit': always(count('Requests per minute that the account may send.', 60)),
  'X-RateLimit-Remaining': always(count('Requests left in this minute.', 59)),
  'X-RateLimit-Reset': always(
    text(
      'When the minute ends and the full limit is available again. After daily_limit_exceeded: the next UTC midnight.',
      '2026-11-21T12:00:41.000Z',
      {
        format: 'date-time',
      },
    ),
  ),
  'X-DailyLimit-Limit': count(
    'Requests per UTC day that the account may send. Absent without a daily limit.',
    100_000,
  ),
  'X-DailyLimit-Remaining': count('Requests left in this UTC day. Absent without a daily limit.', 99_412),
  'X-Service-Tier': always(
    text('Tier of the account; `open` for a request without a valid key.', 'pro', { enum: [...TIERS] }),
  ),
  'X-Request-Id': always(
    text(
      'Id of this request: the client’s own id if it sent one, otherwise a new one. Report it.',
      'req_01aBcDeFgHiJkLmNoPqRsT',
    ),
  ),
  RateLimit: text(
    'The same as the IETF’s RateLimit field: the policy, `r` requests left, `t` seconds until its window ends.',
    '"minute";r=59;t=41',
  ),
  'RateLimit-Policy': text(
    'The IETF’s RateLimit-Policy field: `q` requests in `w` seconds.',
    '"minute";q=60;w=60',
  ),
  'Retry-After': text('Seconds after which to try again.', '17', { pattern: '^[0-9]+$' }),
  ETag: text('Version of the response, for If-None-Match.', '"1c-9f8Yk3"'),
  Link: text(
    'Only with CSV: the next page, as `rel="next"`. Absent on the last page.',
    '</v1/wallets?cursor=WzE3OTU3MTYwMDAwMDBd>; rel="next"',
  ),
  'X-Unreadable': count(
    'Only with CSV: the number of entries in `unreadable` or `unknown`, which the list leaves out. Absent when all was read.',
    1,
  ),
  'Resolved-Names': text(
    'Only when the request has ENS names: each normalised name, percent-encoded, with its address and the block at which it was read.',
    'treasury.eth=0x70997970C51812dc3A010C7d01b50e0d17dc79C8;block=24011200',
  ),
  'Idempotency-Replayed': text(
    '`true`: this is the first response to this Idempotency-Key. The request had no second effect.',
    'true',
    {
      const: 'true',
    },
  ),
  'X-Answer-Generator': text(
    'The writer of the answer: a language model, or the templates. Both use the same facts.',
    'template',
    { enum: [...ANSWER_GENERATORS] },
  ),
} as const satisfies Record<string, Json>;
export type HeaderName = keyof typeof HEADERS;

/** On every response. */
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

/** Returns references to the common headers and to `more`. */
export function headerRefs(...more: readonly HeaderName[]): Json {
  return Object.fromEntries(
    [...COMMON_HEADERS, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Request headers, as parameters. */
export const REQUEST_HEADERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A new random text for each action. A repetition with the same body within 24 hours returns the first response and has no second effect. A repetition with another body is 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: '6f1d2c1e-8a4b-4c36-9a52-0f6b1f0c7f11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETag of the client’s version. The response is 304 without a body when it has not changed.',
    schema: { type: 'string' },
    example: '"1c-9f8Yk3"',
  },
} as const;
