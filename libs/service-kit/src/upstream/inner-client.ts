import { setTimeout as delay } from 'node:timers/promises';
import {
  type FieldError,
  IDENTITY_HEADER,
  Problem,
  type ProblemBody,
  type ProblemCode,
  REQUEST_ID_HEADER,
  TRACEPARENT_HEADER,
} from '@plimsoll/contracts';
import { request } from 'undici';
import { signalWithin } from '../concurrency/within';
import { currentCorrelation } from '../correlation-context';
import { Breaker } from './breaker';

/** Who asks: the signed identity of the call at work, passed on as it is. */
export interface Caller {
  signedIdentity: string;
}

interface InnerCall {
  method: 'GET' | 'POST';
  path: string;
  caller: Caller;
  /** JSON. */
  body?: string;
}

const DEADLINE_MS = 3_000;
const RETRY_AFTER_MS = 50;
/** Share of a retry that each call earns, and the most that can be saved up. */
const EARNED_PER_CALL = 0.1;
const MAX_SAVED = 10;

/**
 * Reads of another service in the name of a caller (architecture.md, Rules 3). One deadline holds for all attempts of a
 * call. A service that cannot be reached or is not ready is asked a second time while the budget has a retry left, and
 * after five failures in a row only once a second.
 */
export class InnerClient {
  private readonly breaker = new Breaker();
  private retries = MAX_SAVED;

  /**
   * @param origin of the service
   * @param what cannot be had while it is away, as in `The position`
   * @param deadlineMs of a call, all its attempts together
   * @param random 0–1, for the jitter between two attempts
   */
  constructor(
    private readonly origin: string,
    private readonly what: string,
    private readonly deadlineMs: number = DEADLINE_MS,
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * The JSON answer of a GET; null for a 404.
   * @param signal ends the call when nobody waits for it any more
   * @throws upstream_timeout, upstream_unavailable or upstream_failed; a 400 or 409 as the service said it
   */
  get<T>(path: string, caller: Caller, signal?: AbortSignal): Promise<T | null> {
    return this.ask<T>({ method: 'GET', path, caller }, signal);
  }

  /** The same for a POST that only calculates: it may be sent twice. */
  post<T>(path: string, body: object, caller: Caller, signal?: AbortSignal): Promise<T | null> {
    return this.ask<T>({ method: 'POST', path, caller, body: JSON.stringify(body) }, signal);
  }

  private async ask<T>(call: InnerCall, signal?: AbortSignal): Promise<T | null> {
    if (!this.breaker.admits(performance.now()))
      throw this.failure('upstream_unavailable', 'breaker is open');
    this.retries = Math.min(MAX_SAVED, this.retries + EARNED_PER_CALL);
    const until = signal ? signalWithin(this.deadlineMs, signal) : AbortSignal.timeout(this.deadlineMs);
    try {
      return await this.attempt<T>(call, until);
    } catch (error) {
      if (!isWorthRetrying(error) || until.aborted || this.retries < 1) throw error;
      this.retries -= 1;
      await delay(RETRY_AFTER_MS * (0.5 + this.random()));
      return this.attempt<T>(call, until);
    }
  }

  private async attempt<T>(
    { method, path, caller, body: sent }: InnerCall,
    signal: AbortSignal,
  ): Promise<T | null> {
    try {
      const { statusCode, body } = await request(new URL(path, this.origin), {
        method,
        headers: {
          ...innerHeaders(caller),
          ...(sent !== undefined && { 'content-type': 'application/json' }),
        },
        ...(sent !== undefined && { body: sent }),
        signal,
      });
      this.breaker.succeeded();
      if (statusCode === 200) return (await body.json()) as T;
      if (statusCode === 400 || statusCode === 409) throw passedOn((await body.json()) as ProblemBody);
      await body.dump();
      if (statusCode === 404) return null;
      throw this.failure(
        statusCode === 503 ? 'upstream_unavailable' : 'upstream_failed',
        `status ${statusCode}`,
      );
    } catch (error) {
      if (error instanceof Problem) throw error;
      const isLate = error instanceof DOMException && error.name === 'TimeoutError';
      const hasLeft = error instanceof DOMException && error.name === 'AbortError';
      if (!hasLeft) this.breaker.failed(performance.now());
      throw this.failure(isLate ? 'upstream_timeout' : 'upstream_unavailable', error);
    }
  }

  private failure(code: ProblemCode, cause: unknown): Problem {
    const detail = `${this.what} cannot be looked up now. Send the request again in a moment.`;
    return new Problem(code, detail, { cause, headers: { 'retry-after': '1' } });
  }
}

function innerHeaders(caller: Caller): Record<string, string> {
  const { requestId, traceparent } = currentCorrelation();
  return {
    [IDENTITY_HEADER]: caller.signedIdentity,
    ...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }),
    ...(traceparent !== undefined && { [TRACEPARENT_HEADER]: traceparent }),
  };
}

/** A part of the caller's own request was wrong, or cannot be now: the service that reads it says so best. */
function passedOn({ code, detail, errors }: ProblemBody): Problem {
  return new Problem(code, detail, { ...(errors && { errors: errors as FieldError[] }) });
}

function isWorthRetrying(error: unknown): boolean {
  return error instanceof Problem && error.code === 'upstream_unavailable';
}
