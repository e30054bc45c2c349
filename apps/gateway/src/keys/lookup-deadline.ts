import { within } from '@plimsoll/service-kit';

const LOOKUP_DEADLINE_MS = 2_000;

/** What is looked up, unless the database takes longer than a call should wait for it: then it rejects. */
export function withLookupDeadline<T>(work: Promise<T>): Promise<T> {
  return within(
    LOOKUP_DEADLINE_MS,
    work,
    () => new Error(`no answer from the database within ${LOOKUP_DEADLINE_MS} ms`),
  );
}
