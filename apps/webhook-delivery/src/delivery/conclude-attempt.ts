import type { DeliveryState } from '@plimsoll/contracts';
import { retryAfterMs, retryDelayMs } from './retry-schedule';

/** What an attempt came to, as far as the next step depends on it. */
export interface AttemptAnswer {
  /** Null: no answer came. */
  statusCode: number | null;
  retryAfter?: string | undefined;
}

export interface Conclusion {
  state: DeliveryState;
  /** Milliseconds since 1970; null at an end. */
  nextAttemptAtMs: number | null;
  /** The receiver said that the endpoint is gone for good. */
  endpointGone: boolean;
}

/** True for 2xx alone: a redirect is a failure (decisions.md, Webhook envelope). */
export function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

/**
 * The state of a delivery after an attempt.
 * @param attempt number of the attempt, from 1
 * @param retries false: no schedule follows (a test, a manual retry)
 * @param nowMs when the attempt ended: the wait counts from here
 */
export function concludeAttempt(
  attempt: number,
  { statusCode, retryAfter }: AttemptAnswer,
  retries: boolean,
  nowMs: number,
  random: () => number,
): Conclusion {
  if (isSuccess(statusCode)) return { state: 'delivered', nextAttemptAtMs: null, endpointGone: false };
  const endpointGone = statusCode === 410;
  const floorMs = statusCode === null ? null : retryAfterMs(statusCode, retryAfter, nowMs);
  const delayMs = retries && !endpointGone ? retryDelayMs(attempt, floorMs, random) : null;
  if (delayMs === null) return { state: 'failed', nextAttemptAtMs: null, endpointGone };
  return { state: 'retrying', nextAttemptAtMs: nowMs + delayMs, endpointGone };
}
