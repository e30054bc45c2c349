declare module 'kafkajs/src/network/requestQueue' {
  /** What of kafkajs 2.2.4's queue of one broker connection `rest-when-idle.ts` needs. */
  class RequestQueue {
    pending: unknown[];
    /** Sent and not answered, by correlation id. */
    inflight: Map<number, InflightRequest>;
    enforceRequestTimeout: boolean;
    requestTimeoutIntervalId: NodeJS.Timeout | undefined;
    /** Milliseconds of the epoch; −1: never throttled. */
    throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    constructor(options: {
      clientId: string;
      broker: string;
      maxInFlightRequests: number | null;
      enforceRequestTimeout?: boolean;
      isConnected?: () => boolean;
    });
    isConnected(): boolean;
    scheduleCheckPendingRequests(): void;
    scheduleRequestTimeoutCheck(): void;
    /** Clears both timers. */
    destroy(): void;
  }
  interface InflightRequest {
    /** Milliseconds of the epoch. */
    sentAt: number;
    /** Milliseconds. */
    requestTimeout: number;
    timeoutRequest(): void;
  }
  export = RequestQueue;
}
