import RequestQueue from 'kafkajs/src/network/requestQueue';

/** Between two looks for requests that had no answer in time; those that the broker holds back have ten seconds and more. */
const OVERDUE_MS = 1_000;

/**
 * Lets kafkajs rest between answers. Its queue of requests sets a timer to look at itself again even when nothing waits in
 * it and the broker throttles nobody; the delay then comes out negative, so each connection wakes the process every
 * millisecond for as long as it lives: 2 to 3 % of a core in every service. Known since 2023, and not in any release:
 * https://github.com/tulios/kafkajs/issues/1556, https://github.com/tulios/kafkajs/issues/1704.
 *
 * A request that has to wait still sets the timer, and so does an answer while any waits.
 *
 * And each connection looks for overdue requests ten times a second, which cannot be set: here once.
 */
export function restWhenIdle(): void {
  const { prototype } = RequestQueue;
  if (Object.hasOwn(prototype, RESTS)) return;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
  prototype.scheduleRequestTimeoutCheck = function (this: RequestQueue): void {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    this.requestTimeoutIntervalId = setInterval(() => {
      endOverdue(this);
    }, OVERDUE_MS);
  };
  Object.defineProperty(prototype, RESTS, { value: true });
}

function endOverdue(queue: RequestQueue): void {
  for (const request of queue.inflight.values()) {
    if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
  }
  if (!queue.isConnected()) queue.destroy();
}

const RESTS = Symbol('rests when idle');
