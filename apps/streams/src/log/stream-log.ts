import type { StreamName } from '@plimsoll/contracts';
import { type Place, encodeCursor } from './cursor';
import { PartitionRing } from './partition-ring';
import { mergeByTime } from './merge-by-time';
import { type StreamEvent, bytesOf } from './stream-event';

/** Whether what came after a place is in memory, may still be read from the log, or is past the window. */
export type Coverage = 'memory' | 'log' | 'past';

/** The latest events of a topic, as long as they are younger than the window and fit into memory. */
export class StreamLog {
  private readonly rings: PartitionRing[] = [];
  private readonly ids = new Set<string>();
  private bytes = 0;
  private knownCursor: string | undefined;

  constructor(
    private readonly stream: StreamName,
    private readonly windowMs: number,
    private readonly maxBytes: number,
  ) {}

  /** Reading of a partition begins at this offset. */
  begin(partition: number, offset: number): void {
    this.rings[partition] = new PartitionRing(offset);
    this.knownCursor = undefined;
  }

  /** True when it is the first time: the relay may put an event into the log twice. */
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
    while (this.bytes > this.maxBytes) this.dropOldest();
    return true;
  }

  /** What is below `next` is read, and was nothing to send. */
  advance(partition: number, next: number): void {
    const ring = this.ring(partition);
    ring.next = Math.max(ring.next, next);
    this.knownCursor = undefined;
  }

  /** Lets go of what is older than the window. @param nowMs milliseconds since 1970 */
  expire(nowMs: number): void {
    for (const ring of this.rings) {
      for (let event = ring.oldest; event && event.timeMs < nowMs - this.windowMs; event = ring.oldest) {
        this.drop(ring, event);
        ring.expiredBelow = ring.start;
      }
    }
  }

  get place(): Place {
    return this.rings.map(({ next }) => next);
  }

  /** Names the place up to which everything has been handed out. */
  get cursor(): string {
    return (this.knownCursor ??= encodeCursor(this.stream, this.place));
  }

  /** Below it, events of a partition are not in memory. */
  get starts(): Place {
    return this.rings.map(({ start }) => start);
  }

  coverage(place: Place): Coverage {
    let coverage: Coverage = 'memory';
    for (const [partition, ring] of this.rings.entries()) {
      const offset = place[partition] ?? 0;
      if (offset < ring.expiredBelow) return 'past';
      if (offset < ring.start) coverage = 'log';
    }
    return coverage;
  }

  /** True when the place names offsets that this instance has not read yet. */
  isBehind(place: Place): boolean {
    return place.some((offset, partition) => offset > (this.rings[partition]?.next ?? 0));
  }

  /** The next events after a place, at most `limit`: in order within a partition, by time over all of them. */
  after(place: Place, limit: number): StreamEvent[] {
    const queues = this.rings.map((ring, partition) => ring.from(place[partition] ?? 0, limit));
    return mergeByTime(queues, limit);
  }

  private ring(partition: number): PartitionRing {
    return (this.rings[partition] ??= new PartitionRing(0));
  }

  private dropOldest(): void {
    let oldest: PartitionRing | undefined;
    for (const ring of this.rings) {
      if (!ring.oldest) continue;
      if (!oldest?.oldest || ring.oldest.timeMs < oldest.oldest.timeMs) oldest = ring;
    }
    if (oldest?.oldest) this.drop(oldest, oldest.oldest);
  }

  private drop(ring: PartitionRing, event: StreamEvent): void {
    ring.shift();
    this.ids.delete(event.id);
    this.bytes -= bytesOf(event);
  }
}
