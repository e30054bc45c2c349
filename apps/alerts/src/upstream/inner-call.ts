import {
  IDENTITY_HEADER,
  Problem,
  type ProblemCode,
  REQUEST_ID_HEADER,
  TRACEPARENT_HEADER,
} from '@plimsoll/contracts';
import { currentCorrelation } from '@plimsoll/service-kit';
import { request } from 'undici';

/** Who asks: the signed identity of the call at work, passed on as it is. */
export interface Caller {
  signedIdentity: string;
}

const DEADLINE_MS = 3_000;

/**
 * What another service answers to a GET in the name of the caller; null for a 404.
 * @throws upstream_timeout, upstream_unavailable or upstream_failed
 */
export async function innerGet<T>(origin: string, path: string, caller: Caller): Promise<T | null> {
  const { requestId, traceparent } = currentCorrelation();
  try {
    const { statusCode, body } = await request(new URL(path, origin), {
      headers: {
        [IDENTITY_HEADER]: caller.signedIdentity,
        ...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }),
        ...(traceparent !== undefined && { [TRACEPARENT_HEADER]: traceparent }),
      },
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    if (statusCode === 200) return (await body.json()) as T;
    await body.dump();
    if (statusCode === 404) return null;
    throw failure(statusCode === 503 ? 'upstream_unavailable' : 'upstream_failed', `status ${statusCode}`);
  } catch (error) {
    if (error instanceof Problem) throw error;
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    throw failure(isLate ? 'upstream_timeout' : 'upstream_unavailable', error);
  }
}

function failure(code: ProblemCode, cause: unknown): Problem {
  return new Problem(
    code,
    'What this request refers to cannot be looked up now. Send it again in a moment.',
    {
      cause,
    },
  );
}
