declare module 'kafkajs/src/network/requestQueue' {
  /** What of kafkajs 2.2.4's queue of one broker connection `rest-when-idle.ts` needs. */
  class RequestQueue {
    pending: unknown[];
    /** Milliseconds of the epoch; −1: never throttled. */
    throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    constructor(options: { clientId: string; broker: string; maxInFlightRequests: number | null });
    scheduleCheckPendingRequests(): void;
  }
  export = RequestQueue;
}
