import type { EventTopic } from '@plimsoll/contracts';
import type { SqlExecutor } from '../sql';

/** One event for a consumer, parsed and checked against its schema. */
export interface ReceivedEvent<T> {
  /** `evt_…`, the same for every delivery of the event. */
  id: string;
  key: string;
  /** Null for a tombstone, which deletes the state under the key. */
  value: T | null;
  /** When the event was created, milliseconds since 1970. */
  time: number;
  /** Offset in the partition, as decimal digits, because it may exceed 2^53. */
  offset: string;
  partition: number;
  requestId?: string | undefined;
  traceparent?: string | undefined;
}

/** Argument of a handler declared with `@EventPattern('<topic>')`: new events of one partition, in order. */
export interface EventBatch<T> {
  topic: EventTopic;
  partition: number;
  /** At least one, at most `maxBatchEvents`. */
  events: ReceivedEvent<T>[];
  /**
   * The transaction of the inbox rows. Effects and `appendToOutbox` use it. It commits when the handler
   * returns and rolls back when it throws. It runs one statement at a time.
   */
  tx: SqlExecutor;
  /** Runs `work` after the commit, and never after a rollback. Use it to wake other code, not for effects. */
  afterCommit(work: () => void): void;
}
