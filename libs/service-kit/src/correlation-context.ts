import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import type { Correlation } from '@plimsoll/contracts';
import { base62, isRequestId, isTraceparent } from '@plimsoll/contracts';

const storage = new AsyncLocalStorage<Required<Correlation>>();

/**
 * Returns request id and trace of the current request, empty outside of a request. Pass them into events and
 * upstream requests.
 */
export function currentCorrelation(): Correlation {
  return storage.getStore() ?? {};
}

/**
 * Runs `work` so that its logs, events and requests, and those of everything it starts, carry this
 * correlation.
 */
export function withCorrelation<T>({ requestId, traceparent }: Correlation, work: () => T): T {
  return storage.run(continueCorrelation(requestId, traceparent), work);
}

/** Keeps a valid incoming request id and trace, and generates what is missing. The span id is always new. */
export function continueCorrelation(
  requestId: string | undefined,
  traceparent: string | undefined,
): Required<Correlation> {
  const spanId = randomHex(8);
  const trace = isTraceparent(traceparent)
    ? { id: traceparent.slice(3, 35), flags: traceparent.slice(53) }
    : { id: randomHex(16), flags: '01' };
  return {
    requestId: isRequestId(requestId) ? requestId : newRequestId(),
    traceparent: `00-${trace.id}-${spanId}-${trace.flags}`,
  };
}

/** Random bytes are drawn in advance, because one large draw costs as much as one small draw. */
const drawn = Buffer.alloc(4_096);
let used = drawn.length;

/** Returns where the next random bytes begin. */
function draw(bytes: number): number {
  if (used + bytes > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += bytes;
  return used - bytes;
}

function randomHex(bytes: number): string {
  const at = draw(bytes);
  return drawn.toString('hex', at, at + bytes);
}

/** The form of newId. It need not sort by time, and every request has one. */
function newRequestId(): string {
  const at = draw(16);
  return `req_${base62(drawn.subarray(at, at + 16))}`;
}
