import { Problem, PROBLEM_CONTENT_TYPE } from '@plimsoll/contracts';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_DESTROYED',
  'POOL_CLOSED',
]);

/** Retry-After when a part of the service is unavailable. */
export const RETRY_AFTER_SECONDS = 2;

const codeOf = (error: unknown): string => (error as { code?: string } | undefined)?.code ?? '';

/** Returns true when the request never reached the service. */
export function isUnreachable(error: unknown): boolean {
  return UNREACHABLE.has(codeOf(error));
}

export function unavailable(cause?: unknown): Problem {
  return new Problem(
    'upstream_unavailable',
    'A part of the service is unavailable. Try again in a few seconds.',
    {
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
      cause,
    },
  );
}

export function failed(cause?: unknown): Problem {
  const detail = 'A part of the service failed. Try again; if it fails again, report the X-Request-Id.';
  return new Problem('upstream_failed', detail, { cause });
}

export function timedOut(cause?: unknown): Problem {
  const detail = 'A part of the service did not respond in time. Try again; a write may have been done.';
  return new Problem('upstream_timeout', detail, { cause });
}

/** Returns the problem for a failed exchange with a service. The details only go to the log. */
export function upstreamProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return isUnreachable(error) ? unavailable(error) : failed(error);
}

/**
 * Returns true when a service's response may reach the client unchanged. An error that is not a problem body
 * may contain internal details. A 401 means that the gateway's own identity was rejected, which the client's
 * key did not cause.
 */
export function isPassable(status: number, contentType: string | undefined): boolean {
  if (status < 400) return true;
  return status !== 401 && (contentType ?? '').startsWith(PROBLEM_CONTENT_TYPE);
}
