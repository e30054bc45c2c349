import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import type { Correlation } from '@plimsoll/contracts';
import { isRequestId, isTraceparent, newId } from '@plimsoll/contracts';

const storage = new AsyncLocalStorage<Required<Correlation>>();

/** Request id and trace of the current request; empty outside of one. Pass it into events and upstream calls. */
export function currentCorrelation(): Correlation {
  return storage.getStore() ?? {};
}

/** Runs `work`, and everything it starts, so that logs, events and calls carry this correlation. */
export function withCorrelation<T>({ requestId, traceparent }: Correlation, work: () => T): T {
  return storage.run(continueCorrelation(requestId, traceparent), work);
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
