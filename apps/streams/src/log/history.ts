import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { StreamName } from '@plimsoll/contracts';
import type { LogReaderOptions } from '@plimsoll/event-bus';
import { kafkaSettings } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { StreamsConfig } from '../config';
import { LIMITS } from '../limits';
import type { StreamOffset } from './cursor';
import { byTopic, streamPartitionOf } from './stream-partitions';
import { mergeByTime } from './merge-by-time';
import { type StreamEvent, eventOf } from './stream-event';
import { LogThread } from './thread/log-thread';

/** The events after an offset, or why they were not read. */
export type Missed = { events: StreamEvent[] } | { refused: 'window_passed' | 'too_much' | 'unavailable' };

/** Reads events that memory no longer contains from Kafka: one range at a time, with a bound. */
@Injectable()
export class History {
  private readonly logger = new Logger('history');
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly config: StreamsConfig,
    private readonly busLogger: PinoLogger,
    private readonly thread: LogThread,
  ) {}

  /** Returns the events between two offsets. Refuses ranges older than the window. Waits for its turn. */
  async read(stream: StreamName, from: StreamOffset, to: StreamOffset): Promise<Missed> {
    if (this.waiting >= LIMITS.waitingReads) return { refused: 'too_much' };
    this.waiting += 1;
    const turn = this.last.then(() => this.readNow(stream, from, to));
    this.last = turn.catch(() => undefined);
    try {
      return await turn;
    } catch (error) {
      this.logger.warn({ msg: 'cannot read events back from Kafka', stream, err: error });
      return { refused: 'unavailable' };
    } finally {
      this.waiting -= 1;
    }
  }

  private async readNow(stream: StreamName, from: StreamOffset, to: StreamOffset): Promise<Missed> {
    const range = new Range(from, to);
    const settled = new Promise<void>((resolve) => (range.onSettled = resolve));
    const reader = this.thread.reader({
      ...kafkaSettings(this.config),
      clientId: 'streams-history',
      logger: this.busLogger,
      topics: byTopic(
        stream,
        to.map((end, number) => String(from[number] ?? end)),
      ),
      onEvents: (...[topic, partition, events]: Parameters<LogReaderOptions['onEvents']>) => {
        if (
          topic === 'position.v1' ||
          topic === 'alert.v1' ||
          topic === 'alert-change.v1' ||
          topic === 'whale.v1'
        ) {
          range.add(
            streamPartitionOf(topic, partition).number,
            (events as Parameters<typeof eventOf>[0][]).map(eventOf).filter((event) => event !== null),
          );
        }
      },
    });
    const timeout = new AbortController();
    try {
      await reader.start();
      const late = delay(LIMITS.seekDeadlineMs, 'late' as const, { signal: timeout.signal });
      const caughtUp = reader.caughtUp;
      if ((await Promise.race([settled, caughtUp, late])) === 'late') return { refused: 'unavailable' };
    } finally {
      timeout.abort();
      await reader.stop();
    }
    if (range.isTooLong) return { refused: 'too_much' };
    const earliestMs = Date.now() - this.config.RESUME_WINDOW_MS;
    return range.beginsBefore(earliestMs) ? { refused: 'window_passed' } : { events: range.merged() };
  }
}

/** Collects the events of a range. */
class Range {
  onSettled: () => void = () => undefined;
  isTooLong = false;
  private readonly byPartition: StreamEvent[][];
  private readonly open: Set<number>;
  private count = 0;

  constructor(
    from: StreamOffset,
    private readonly to: StreamOffset,
  ) {
    this.byPartition = to.map(() => []);
    this.open = new Set(to.flatMap((end, partition) => ((from[partition] ?? 0) < end ? [partition] : [])));
  }

  add(partition: number, events: readonly StreamEvent[]): void {
    const end = this.to[partition] ?? 0;
    const wanted = events.filter(({ offset }) => offset < end);
    this.byPartition[partition]?.push(...wanted);
    this.count += wanted.length;
    this.isTooLong = this.count > LIMITS.seekEvents;
    if (wanted.length < events.length || events.some(({ offset }) => offset === end - 1)) {
      this.open.delete(partition);
    }
    if (this.isTooLong || this.open.size === 0) this.onSettled();
  }

  beginsBefore(earliestMs: number): boolean {
    return this.byPartition.some(([first]) => first !== undefined && first.timeMs < earliestMs);
  }

  merged(): StreamEvent[] {
    return mergeByTime(this.byPartition, this.count);
  }
}
