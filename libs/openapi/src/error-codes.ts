import type { Endpoint, Service } from '@plimsoll/access';
import { PROBLEMS, type ProblemCode } from '@plimsoll/contracts';
import type { Operation } from './operation';

const FROM_ANY_CALL: readonly ProblemCode[] = [
  'invalid_request',
  'missing_api_key',
  'invalid_api_key',
  'not_signed_in',
  'foreign_origin',
  'quota_reached',
  'rate_limited',
  'daily_limit_exceeded',
  'too_many_in_flight',
  'internal',
  'upstream_unavailable',
];
const FROM_A_SERVICE: readonly ProblemCode[] = [
  'upstream_failed',
  'upstream_timeout',
  'sandbox_starting',
  'sandbox_capacity',
];
/** Services that take part in test mode only, and those that take no part in it. */
const FROM_ITS_MODE: Readonly<Partial<Record<Service, ProblemCode>>> = {
  sandbox: 'test_key_required',
  ai: 'not_in_test_mode',
  execution: 'not_in_test_mode',
};
const FROM_A_BODY: readonly ProblemCode[] = [
  'invalid_json',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
];

/** Returns every error code of an operation, in the order of the catalogue. */
export function errorCodes(endpoint: Endpoint, operation: Operation): ProblemCode[] {
  const ofMode = FROM_ITS_MODE[endpoint.service];
  const codes = new Set<ProblemCode>([
    ...FROM_ANY_CALL,
    ...(endpoint.tier === 'open' ? [] : (['tier_required'] as const)),
    ...(endpoint.scope === null ? [] : (['scope_required'] as const)),
    ...(endpoint.service === 'gateway' ? [] : FROM_A_SERVICE),
    ...(ofMode ? [ofMode] : []),
    ...(operation.body ? FROM_A_BODY : []),
    ...(operation.idempotent ? (['conflict', 'idempotency_mismatch'] as const) : []),
    ...(operation.errors ?? []),
  ]);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => codes.has(code));
}

const FROM_OUTSIDE: readonly ProblemCode[] = [
  'invalid_request',
  'rate_limited',
  'internal',
  'upstream_unavailable',
];
/** Whether a path belongs to the account API, which is outside of /v1. */
const isAccountPath = (path: string): boolean => path.startsWith('/account/');
/** Whether everyone may read a path, without a key or a session. It is outside of /v1. */
const isPublicPath = (path: string): boolean => path.startsWith('/public/');
/** Returns whether a path of the document is outside of /v1. */
export const isOutsidePath = (path: string): boolean => isAccountPath(path) || isPublicPath(path);

/** Returns every error code of an operation outside of /v1, in the order of the catalogue. */
export function outsideErrorCodes(path: string, { body, signedIn, errors = [] }: Operation): ProblemCode[] {
  const codes = new Set<ProblemCode>([
    ...FROM_OUTSIDE,
    ...(isAccountPath(path) ? (['foreign_origin'] as const) : []),
    ...(body ? FROM_A_BODY : []),
    ...(signedIn ? (['not_signed_in'] as const) : []),
    ...errors,
  ]);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => codes.has(code));
}
