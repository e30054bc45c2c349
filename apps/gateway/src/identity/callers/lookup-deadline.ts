import { within } from '@plimsoll/service-kit';

const LOOKUP_DEADLINE_MS = 2_000;

/** Returns the result of a lookup. Rejects when the database takes longer than a request should wait. */
export function withLookupDeadline<T>(work: Promise<T>): Promise<T> {
  return within(
    LOOKUP_DEADLINE_MS,
    work,
    () => new Error(`no response from the database within ${LOOKUP_DEADLINE_MS} ms`),
  );
}
