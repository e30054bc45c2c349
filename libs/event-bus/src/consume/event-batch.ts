import type { EventTopic } from '@plimsoll/contracts';
import type { SqlExecutor } from '../sql';

/** One event as a consumer gets it: parsed and checked against its schema. */
export interface ReceivedEvent<T> {
  /** `evt_…`, the same however often the event is delivered. */
  id: string;
  key: string;
  /** Null: a tombstone, the state under the key is gone. */
  value: T | null;
  /** When the event was made, milliseconds since 1970. */
  time: number;
  /** Offset in the partition; decimal digits, as it may pass 2^53. */
  offset: string;
  partition: number;
  requestId?: string | undefined;
  traceparent?: string | undefined;
}

/** What a handler declared with `@EventPattern('<topic>')` is called with: fresh events of one partition, in order. */
export interface EventBatch<T> {
  topic: EventTopic;
  partition: number;
  /** At least one, at most `maxBatchEvents`. */
  events: ReceivedEvent<T>[];
  /**
   * The transaction that the inbox rows are in. Effects and `appendToOutbox` go through it; it is committed when the
   * handler returns and rolled back when it throws. One statement at a time.
   */
  tx: SqlExecutor;
  /** Runs `work` once the transaction is committed, and never when it is rolled back; for waking up, not for effects. */
  afterCommit(work: () => void): void;
}
