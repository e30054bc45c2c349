import RequestQueue from 'kafkajs/src/network/requestQueue';

/**
 * Interval of the checks for timed-out requests. Requests that the broker holds back have ten seconds and
 * more.
 */
const OVERDUE_MS = 1_000;

/**
 * Corrects the timers of kafkajs. Its request queue sets a timer to check itself again even when it is empty.
 * The delay is then negative: Node 26 prints a warning, and each connection wakes the process every
 * millisecond, 2 to 3 % of a core in every service. Known since 2023 and in every release:
 * https://github.com/tulios/kafkajs/issues/1556, https://github.com/tulios/kafkajs/issues/1704.
 *
 * An empty queue needs no check. A request that must wait sets the timer, and so does a response while any
 * request waits.
 *
 * Each connection also checks for timed-out requests ten times a second, which no option changes. This patch
 * checks once a second.
 */
export function patchTimers(): void {
  const { prototype } = RequestQueue;
  if (Object.hasOwn(prototype, IS_PATCHED)) return;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0) schedule.call(this);
  };
  prototype.scheduleRequestTimeoutCheck = function (this: RequestQueue): void {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    this.requestTimeoutIntervalId = setInterval(() => {
      endOverdue(this);
    }, OVERDUE_MS);
  };
  Object.defineProperty(prototype, IS_PATCHED, { value: true });
}

function endOverdue(queue: RequestQueue): void {
  for (const request of queue.inflight.values()) {
    if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
  }
  if (!queue.isConnected()) queue.destroy();
}

const IS_PATCHED = Symbol('patched timers');
