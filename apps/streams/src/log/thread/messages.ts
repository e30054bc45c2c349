import type { EventTopic } from '@plimsoll/contracts';
import type { BusHealth, BusLogger, LogReaderOptions, ReceivedEvent } from '@plimsoll/event-bus';

/** Settings of a reader. All of them can be sent to a thread. */
export type ReaderSettings = Pick<
  LogReaderOptions,
  'brokers' | 'tls' | 'sasl' | 'clientId' | 'topicPrefix' | 'partitions' | 'topics'
>;

/** Commands to the thread. `reader` numbers the readers, `batch` the batches of a reader. */
export type Command =
  | { do: 'start'; reader: number; settings: ReaderSettings }
  | { do: 'take'; reader: number; batch: number }
  /** The batch was not accepted for this reason, and is sent again. */
  | { do: 'refuse'; reader: number; batch: number; reason: string }
  | { do: 'stop'; reader: number };

/** Reports from the thread. */
export type Report =
  | { is: 'begin'; reader: number; topic: EventTopic; partition: number; offset: string }
  | {
      is: 'events';
      reader: number;
      batch: number;
      topic: EventTopic;
      partition: number;
      events: ReceivedEvent<unknown>[];
      highWatermark: string;
    }
  | { is: 'health'; reader: number; health: BusHealth }
  | { is: 'caughtUp'; reader: number }
  | { is: 'started'; reader: number; error: Error | null }
  | { is: 'stopped'; reader: number; error: Error | null }
  | { is: 'line'; reader: number; level: keyof BusLogger; fields: object; message: string };
