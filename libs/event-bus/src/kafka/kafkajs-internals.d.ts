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

declare module 'kafkajs/src/protocol/decoder' {
  /** What of kafkajs 2.2.4's reader of a response `headers-at-once.ts` needs. */
  class Decoder {
    buffer: Buffer;
    offset: number;
    constructor(buffer: Buffer);
    readVarInt(): number;
    readVarIntBytes(): Buffer | null;
    readVarIntArray(read: (decoder: Decoder) => unknown): unknown;
  }
  export = Decoder;
}

declare module 'kafkajs/src/protocol/recordBatch/header/v0/decoder' {
  import type Decoder from 'kafkajs/src/protocol/decoder';

  function readHeader(decoder: Decoder): { key: string; value: Buffer | null };
  export = readHeader;
}

declare module 'kafkajs/src/protocol/recordBatch/record/v0/decoder' {
  import type { IHeaders } from 'kafkajs';
  import type Decoder from 'kafkajs/src/protocol/decoder';

  function readRecord(decoder: Decoder, context: object): { headers: IHeaders; value: Buffer | null };
  export = readRecord;
}

declare module 'kafkajs/src/protocol/recordBatch/record/v0' {
  function encodeRecord(record: object): { buffer: Buffer };
  export = encodeRecord;
}

declare module 'kafkajs/src/utils/long' {
  class Long {
    static fromInt(value: number): Long;
  }
  export = Long;
}
