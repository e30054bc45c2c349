import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import type { Correlation } from '@plimsoll/contracts';
import { isRequestId, isTraceparent, newId } from '@plimsoll/contracts';

const storage = new AsyncLocalStorage<Required<Correlation>>();

/** Request id and trace of the call at work here; empty outside of one. Pass it into events and upstream calls. */
export function currentCorrelation(): Correlation {
  return storage.getStore() ?? {};
}

/** Runs `work` so that its logs, events and calls carry this correlation; what goes on when it has settled may lose it. */
export function withCorrelation<T>(correlation: Correlation, work: () => T): T {
  let result: T | undefined;
  const release = holdCorrelation(correlation, () => (result = work()));
  if (result instanceof Promise) result.then(release, release);
  else release();
  return result as T;
}

/** How much work carries a correlation now. */
let held = 0;

/**
 * As withCorrelation, for work that ends when the caller says so by what is returned. While none is held the storage is
 * switched off: on Node 20 one that ran once hooks every promise and callback of the process from then on.
 */
export function holdCorrelation({ requestId, traceparent }: Correlation, work: () => void): () => void {
  held += 1;
  const release = (): void => {
    held -= 1;
    if (held === 0) storage.disable();
  };
  try {
    storage.run(continueCorrelation(requestId, traceparent), work);
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/** Keeps a valid request id and trace from outside and makes what is missing; the span id is always a new one. */
export function continueCorrelation(
  requestId: string | undefined,
  traceparent: string | undefined,
): Required<Correlation> {
  const spanId = randomHex(8);
  const trace = isTraceparent(traceparent)
    ? { id: traceparent.slice(3, 35), flags: traceparent.slice(53) }
    : { id: randomHex(16), flags: '01' };
  return {
    requestId: isRequestId(requestId) ? requestId : newId('req'),
    traceparent: `00-${trace.id}-${spanId}-${trace.flags}`,
  };
}

/** Drawn in advance: asking for a few random bytes costs as much as asking for many. */
const drawn = Buffer.alloc(4_096);
let used = drawn.length;

function randomHex(bytes: number): string {
  if (used + bytes > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += bytes;
  return drawn.toString('hex', used - bytes, used);
}
