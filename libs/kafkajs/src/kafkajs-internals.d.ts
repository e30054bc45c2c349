declare module 'kafkajs/src/network/requestQueue' {
  /** The part of kafkajs 2.2.4's request queue of a broker connection that `patch-timers.ts` needs. */
  class RequestQueue {
    pending: unknown[];
    /** Sent requests without a response, by correlation id. */
    inflight: Map<number, InflightRequest>;
    enforceRequestTimeout: boolean;
    requestTimeoutIntervalId: NodeJS.Timeout | undefined;
    /** Milliseconds since 1970. −1: never throttled. */
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
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
    scheduleRequestTimeoutCheck(): void;
    /** Clears both timers. */
    destroy(): void;
  }
  interface InflightRequest {
    /** Milliseconds since 1970. */
    sentAt: number;
    /** Milliseconds. */
    requestTimeout: number;
    timeoutRequest(): void;
  }
  export = RequestQueue;
}
