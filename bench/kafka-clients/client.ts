/** A record in the format of both clients. */
export interface OutgoingRecord {
  key: string;
  value: string;
  headers: Record<string, string>;
}

/**
 * A client for the bench, with the settings of the event bus: idempotent, acks=all, one request in flight.
 */
export interface BenchClient {
  /** Connects a producer. The returned function sends one request and resolves with its acknowledgement. */
  producer(topic: string): Promise<(records: OutgoingRecord[]) => Promise<unknown>>;
  /**
   * Reads the topic from the beginning in a consumer group without commits. `onJoin` is called before the first record,
   * `onValues` with the values of each batch or record.
   */
  consume(
    topic: string,
    groupId: string,
    onJoin: () => void,
    onValues: (values: Buffer[]) => void,
  ): Promise<void>;
}
