import type { StreamName } from '@plimsoll/contracts';
import { type StreamOffset, UNNAMED, encodeCursor } from './cursor';
import { PartitionRing } from './partition-ring';
import { mergeByTime } from './merge-by-time';
import { type StreamEvent, bytesOf } from './stream-event';

/** Whether the events after an offset are in memory, can still be read from Kafka, or are past the window. */
export type Coverage = 'memory' | 'log' | 'past';

/** Keeps the events after an offset in memory. */
export interface Hold {
  moveTo(streamOffset: StreamOffset): void;
  release(): void;
}

/**
 * Most events that are dropped for one that arrives, so that the events of many holds are not all dropped in
 * one step.
 */
const DROPS_PER_EVENT = 64;

/** The latest events of a topic that are within the window and fit into memory. */
export class StreamLog {
  private readonly rings: PartitionRing[] = [];
  private readonly ids = new Set<string>();
  private readonly holds = new Set<{ streamOffset: StreamOffset }>();
  /** The earliest of the holds. */
  private heldFrom: StreamOffset | null = null;
  private bytes = 0;
  private knownCursor: string | undefined;

  constructor(
    private readonly stream: StreamName,
    private readonly windowMs: number,
    private readonly maxBytes: number,
    /** Additional memory for held events. */
    private readonly maxHeldBytes: number,
  ) {}

  /** Reading of a partition begins at this offset. */
  begin(partition: number, offset: number): void {
    this.ring(partition);
    this.rings[partition] = new PartitionRing(offset);
    this.knownCursor = undefined;
  }

  /** Returns true for a new event. The relay may publish an event twice. */
  append(event: StreamEvent): boolean {
    const ring = this.ring(event.partition);
    if (this.ids.has(event.id) || event.offset < ring.next) {
      this.advance(event.partition, event.offset + 1);
      return false;
    }
    ring.push(event);
    this.ids.add(event.id);
    this.bytes += bytesOf(event);
    this.knownCursor = undefined;
    for (let drops = 0; drops < DROPS_PER_EVENT && this.bytes > this.maxBytes && this.dropOldest();)
      drops += 1;
    return true;
  }

  /** Everything below `next` was read and contained nothing to send. */
  advance(partition: number, next: number): void {
    const ring = this.ring(partition);
    ring.next = Math.max(ring.next, next);
    this.knownCursor = undefined;
  }

  /**
   * Drops events older than the window.
   * @param nowMs milliseconds since 1970
   */
  expire(nowMs: number): void {
    for (const ring of this.rings) {
      for (let event = ring.oldest; event && event.timeMs < nowMs - this.windowMs; event = ring.oldest) {
        this.drop(ring, event);
        ring.expiredBelow = ring.start;
      }
    }
  }

  /**
   * Keeps the events after `streamOffset` for a client that reads earlier ones from Kafka. Otherwise memory
   * would move on during the read, again and again. Beyond the capacity, the earliest hold ends.
   */
  hold(streamOffset: StreamOffset): Hold {
    const hold = { streamOffset };
    this.holds.add(hold);
    this.findHeld();
    return {
      moveTo: (next) => {
        hold.streamOffset = next;
        this.findHeld();
      },
      release: () => {
        this.holds.delete(hold);
        this.findHeld();
      },
    };
  }

  get streamOffset(): StreamOffset {
    return this.rings.map(({ next }) => next);
  }

  /** Cursor of everything that has been delivered. */
  get cursor(): string {
    return (this.knownCursor ??= encodeCursor(this.stream, this.streamOffset));
  }

  /** Below this offset, events of a partition are not in memory. */
  get starts(): StreamOffset {
    return this.rings.map(({ start }) => start);
  }

  /**
   * Returns the offsets with the partitions that the cursor does not contain. For those, everything in memory
   * comes after it.
   */
  completed(streamOffset: StreamOffset): StreamOffset {
    const count = Math.max(this.rings.length, streamOffset.length);
    return Array.from({ length: count }, (_, number) => {
      const offset = streamOffset[number] ?? UNNAMED;
      return offset === UNNAMED ? (this.rings[number]?.start ?? 0) : offset;
    });
  }

  coverage(streamOffset: StreamOffset): Coverage {
    let coverage: Coverage = 'memory';
    for (const [partition, ring] of this.rings.entries()) {
      const offset = streamOffset[partition] ?? 0;
      if (offset < ring.expiredBelow) return 'past';
      if (offset < ring.start) coverage = 'log';
    }
    return coverage;
  }

  /** Returns true when the offsets are ahead of this instance. */
  isBehind(streamOffset: StreamOffset): boolean {
    return streamOffset.some((offset, partition) => offset > (this.rings[partition]?.next ?? 0));
  }

  /**
   * Returns the next events after an offset, at most `limit`: in order within a partition, by time over all
   * of them.
   */
  after(streamOffset: StreamOffset, limit: number): StreamEvent[] {
    const queues = this.rings.map((ring, partition) => ring.from(streamOffset[partition] ?? 0, limit));
    return mergeByTime(queues, limit);
  }

  private ring(partition: number): PartitionRing {
    // There must be no holes: another topic of the stream may begin first.
    while (this.rings.length <= partition) this.rings.push(new PartitionRing(0));
    return this.rings[partition] as PartitionRing;
  }

  /** Returns false when nothing may be dropped. */
  private dropOldest(): boolean {
    let oldest: PartitionRing | undefined;
    for (const ring of this.rings) {
      if (!ring.oldest) continue;
      if (!oldest?.oldest || ring.oldest.timeMs < oldest.oldest.timeMs) oldest = ring;
    }
    if (!oldest?.oldest || this.isHeld(oldest.oldest)) return false;
    const { partition, offset } = oldest.oldest;
    this.drop(oldest, oldest.oldest);
    if (this.heldFrom && offset >= (this.heldFrom[partition] ?? 0)) this.endHoldsOf(partition, offset);
    return true;
  }

  /** A hold without capacity must not keep events from later holds. */
  private endHoldsOf(partition: number, offset: number): void {
    for (const hold of this.holds) if (offset >= (hold.streamOffset[partition] ?? 0)) this.holds.delete(hold);
    this.findHeld();
  }

  private isHeld({ partition, offset }: StreamEvent): boolean {
    if (this.heldFrom === null || this.bytes > this.maxBytes + this.maxHeldBytes) return false;
    return offset >= (this.heldFrom[partition] ?? 0);
  }

  private findHeld(): void {
    this.heldFrom = null;
    for (const { streamOffset } of this.holds) {
      const { heldFrom } = this;
      this.heldFrom = this.rings.map((_, partition) =>
        Math.min(streamOffset[partition] ?? 0, heldFrom?.[partition] ?? Infinity),
      );
    }
  }

  private drop(ring: PartitionRing, event: StreamEvent): void {
    ring.shift();
    this.ids.delete(event.id);
    this.bytes -= bytesOf(event);
  }
}
