import RequestQueue from 'kafkajs/src/network/requestQueue';

/**
 * Lets kafkajs rest between answers. Its queue of requests sets a timer to look at itself again even when nothing waits in
 * it and the broker throttles nobody; the delay then comes out negative, so each connection wakes the process every
 * millisecond for as long as it lives: 2 to 3 % of a core in every service. Known since 2023, and not in any release:
 * https://github.com/tulios/kafkajs/issues/1556, https://github.com/tulios/kafkajs/issues/1704.
 *
 * A request that has to wait still sets the timer, and so does an answer while any waits.
 */
export function restWhenIdle(): void {
  const { prototype } = RequestQueue;
  if (Object.hasOwn(prototype, RESTS)) return;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
  Object.defineProperty(prototype, RESTS, { value: true });
}

const RESTS = Symbol('rests when idle');
