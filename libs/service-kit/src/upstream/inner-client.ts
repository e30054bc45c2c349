import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '@plimsoll/access';
import {
  type FieldError,
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
import type { Caller, ServiceCalls } from './service-calls';

interface InnerCall {
  method: 'GET' | 'POST';
  path: string;
  caller: Caller;
  /** JSON text. */
  body?: string;
}

const DEADLINE_MS = 3_000;
const RETRY_AFTER_MS = 50;
/** Share of a retry that each request earns, and the most retries that can accumulate. */
const EARNED_PER_CALL = 0.1;
const MAX_SAVED = 10;
/** Statuses of a problem that the client itself must solve. */
const PASSED_ON = new Set([400, 409, 429]);

/**
 * Reads from another service with the caller's identity. One deadline covers all attempts of a request. It
 * retries a service that is unreachable or not ready while the budget has a retry left. After five failures
 * in a row it sends only one request a second.
 */
export class InnerClient {
  private readonly breaker = new Breaker();
  private retries = MAX_SAVED;

  /**
   * @param calls proves that this service sends the requests
   * @param to the called service
   * @param origin of the service
   * @param what the data that is missing while the service is unavailable, for example `The position`
   * @param deadlineMs of a request with all its attempts
   * @param random 0–1, for the jitter between two attempts
   */
  constructor(
    private readonly calls: Pick<ServiceCalls, 'headers' | 'dispatcher'>,
    private readonly to: Service,
    private readonly origin: string,
    private readonly what: string,
    private readonly deadlineMs: number = DEADLINE_MS,
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * Returns the JSON response of a GET, or null for a 404.
   * @param signal ends the request when the client disconnects
   * @throws upstream_timeout, upstream_unavailable or upstream_failed; a 400, 409 or 429 with the service's own
   * problem
   */
  get<T>(path: string, caller: Caller, signal?: AbortSignal): Promise<T | null> {
    return this.request<T>({ method: 'GET', path, caller }, signal);
  }

  /** The same for a POST that only calculates. It may be sent twice. */
  post<T>(path: string, body: object, caller: Caller, signal?: AbortSignal): Promise<T | null> {
    return this.request<T>({ method: 'POST', path, caller, body: JSON.stringify(body) }, signal);
  }

  private async request<T>(call: InnerCall, signal?: AbortSignal): Promise<T | null> {
    if (!this.breaker.admits(performance.now()))
      throw this.failure('upstream_unavailable', 'breaker is open');
    this.retries = Math.min(MAX_SAVED, this.retries + EARNED_PER_CALL);
    const until = signal ? signalWithin(this.deadlineMs, signal) : AbortSignal.timeout(this.deadlineMs);
    try {
      return await this.attempt<T>(call, until);
    } catch (error) {
      if (!isRetryable(error) || until.aborted || this.retries < 1) throw error;
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
      const url = new URL(path, this.origin);
      const { statusCode, headers, body } = await request(url, {
        method,
        dispatcher: this.calls.dispatcher,
        headers: {
          ...this.calls.headers(this.to, method, url.pathname + url.search, caller),
          ...correlationHeaders(),
          ...(sent !== undefined && { 'content-type': 'application/json' }),
        },
        ...(sent !== undefined && { body: sent }),
        signal,
      });
      this.breaker.succeeded();
      if (statusCode === 200) return (await body.json()) as T;
      if (PASSED_ON.has(statusCode))
        throw passedOn((await body.json()) as ProblemBody, headers['retry-after']);
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

function correlationHeaders(): Record<string, string> {
  const { requestId, traceparent } = currentCorrelation();
  return {
    ...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }),
    ...(traceparent !== undefined && { [TRACEPARENT_HEADER]: traceparent }),
  };
}

/**
 * A part of the caller's own request was invalid. The problem of the service that reads it is the most
 * precise.
 */
function passedOn(
  { code, detail, errors, requiredTier }: ProblemBody,
  retryAfter: string | string[] | undefined,
): Problem {
  return new Problem(code, detail, {
    ...(errors && { errors: errors as FieldError[] }),
    ...(requiredTier && { requiredTier }),
    ...(typeof retryAfter === 'string' && { headers: { 'retry-after': retryAfter } }),
  });
}

function isRetryable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'upstream_unavailable';
}
