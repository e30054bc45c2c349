import type { DeliveryState } from '@plimsoll/contracts';
import { retryAfterMs, retryDelayMs } from './retry-schedule';

/** The part of an attempt's result that decides the next step. */
export interface AttemptResponse {
  /** Null without a response. */
  statusCode: number | null;
  retryAfter?: string | undefined;
}

export interface Conclusion {
  state: DeliveryState;
  /** Milliseconds since 1970. Null after the last attempt. */
  nextAttemptAtMs: number | null;
  /** True when the receiver responded that the endpoint is permanently gone. */
  isEndpointDeleted: boolean;
}

/** Returns true for 2xx only. A redirect is a failure. */
export function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

/**
 * Returns the state of a delivery after an attempt.
 * @param attempt number of the attempt, from 1
 * @param retries false when no retries follow (a test, a manual retry)
 * @param nowMs end of the attempt, from which the delay counts
 */
export function concludeAttempt(
  attempt: number,
  { statusCode, retryAfter }: AttemptResponse,
  retries: boolean,
  nowMs: number,
  random: () => number,
): Conclusion {
  if (isSuccess(statusCode)) return { state: 'delivered', nextAttemptAtMs: null, isEndpointDeleted: false };
  const isEndpointDeleted = statusCode === 410;
  const floorMs = statusCode === null ? null : retryAfterMs(statusCode, retryAfter, nowMs);
  const delayMs = retries && !isEndpointDeleted ? retryDelayMs(attempt, floorMs, random) : null;
  if (delayMs === null) return { state: 'failed', nextAttemptAtMs: null, isEndpointDeleted };
  return { state: 'retrying', nextAttemptAtMs: nowMs + delayMs, isEndpointDeleted };
}
