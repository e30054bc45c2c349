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

const FROM_ACCOUNT_ROUTES: readonly ProblemCode[] = [
  'invalid_request',
  'foreign_origin',
  'rate_limited',
  'internal',
  'upstream_unavailable',
];
/** Returns whether a path belongs to the account API, which is outside of /v1. */
export const isAccountPath = (path: string): boolean => path.startsWith('/account/');

/** Returns every error code of an operation of the account API, in the order of the catalogue. */
export function accountErrorCodes({ body, signedIn, errors = [] }: Operation): ProblemCode[] {
  const codes = new Set<ProblemCode>([
    ...FROM_ACCOUNT_ROUTES,
    ...(body ? FROM_A_BODY : []),
    ...(signedIn ? (['not_signed_in'] as const) : []),
    ...errors,
  ]);
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => codes.has(code));
}
