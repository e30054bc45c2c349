const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;

/** Wait after the attempt (from 1): four times the one before, with up to a quarter of jitter (0–1) on top. */
export function retryDelayMs(attempt: number, jitter: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 4 ** (attempt - 1)) * (1 + jitter / 4);
}

/** A server that says 5xx says it again: only what may pass is tried again. */
export function isTransient({ responseCode }: { responseCode?: number }): boolean {
  return responseCode === undefined || responseCode < 500;
}
