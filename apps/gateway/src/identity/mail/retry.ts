const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/**
 * Returns the delay after the attempt (from 1): four times the previous one, plus up to a quarter of jitter
 * (0–1).
 */
export function retryDelayMs(attempt: number, jitter: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 4 ** (attempt - 1)) * (1 + jitter / 4);
}

/** A 5xx of a mail server is permanent. Only transient failures are retried. */
export function isTransient({ responseCode }: { responseCode?: number }): boolean {
  return responseCode === undefined || responseCode < 500;
}
