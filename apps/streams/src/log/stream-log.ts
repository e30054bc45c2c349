import type { StreamName } from '@plimsoll/contracts';
import { type Place, UNNAMED, encodeCursor } from './cursor';
import { PartitionRing } from './partition-ring';
import { mergeByTime } from './merge-by-time';
import { type StreamEvent, bytesOf } from './stream-event';

/** Whether what came after a place is in memory, may still be read from the log, or is past the window. */
export type Coverage = 'memory' | 'log' | 'past';

/** Keeps what comes after a place in memory. */
export interface Hold {
  moveTo(place: Place): void;
  release(): void;
}

/** Events that are let go for one that comes: what many holds kept is not let go in one breath. */
const DROPS_AN_EVENT = 64;

/** The latest events of a topic, as long as they are younger than the window and fit into memory. */
export class StreamLog {
  private readonly rings: PartitionRing[] = [];
  private readonly ids = new Set<string>();
  private readonly holds = new Set<{ place: Place }>();
  /** The earliest of the holds. */
  private heldFrom: Place | null = null;
  private bytes = 0;
  private knownCursor: string | undefined;

  constructor(
    private readonly stream: StreamName,
    private readonly windowMs: number,
    private readonly maxBytes: number,
    /** Beyond these, for what is held. */
    private readonly maxHeldBytes: number,
  ) {}

  /** Reading of a partition begins at this offset. */
  begin(partition: number, offset: number): void {
    this.ring(partition);
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
    for (let drops = 0; drops < DROPS_AN_EVENT && this.bytes > this.maxBytes && this.dropOldest();)
      drops += 1;
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

  /**
   * For who reads back what comes before `place`: by the time it has been read, memory would have moved on, and so without
   * end. No more is kept than there is room for: then the earliest hold ends.
   */
  hold(place: Place): Hold {
    const hold = { place };
    this.holds.add(hold);
    this.findHeld();
    return {
      moveTo: (next) => {
        hold.place = next;
        this.findHeld();
      },
      release: () => {
        this.holds.delete(hold);
        this.findHeld();
      },
    };
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

  /** The place with the lanes that its cursor does not name: of those, what memory has comes after it. */
  completed(place: Place): Place {
    const lanes = Math.max(this.rings.length, place.length);
    return Array.from({ length: lanes }, (_, lane) => {
      const offset = place[lane] ?? UNNAMED;
      return offset === UNNAMED ? (this.rings[lane]?.start ?? 0) : offset;
    });
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
    // Without holes: another topic of the stream may begin first.
    while (this.rings.length <= partition) this.rings.push(new PartitionRing(0));
    return this.rings[partition] as PartitionRing;
  }

  /** False: nothing may go. */
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

  /** A hold that has no room any more keeps none from others, which came later. */
  private endHoldsOf(partition: number, offset: number): void {
    for (const hold of this.holds) if (offset >= (hold.place[partition] ?? 0)) this.holds.delete(hold);
    this.findHeld();
  }

  private isHeld({ partition, offset }: StreamEvent): boolean {
    if (this.heldFrom === null || this.bytes > this.maxBytes + this.maxHeldBytes) return false;
    return offset >= (this.heldFrom[partition] ?? 0);
  }

  private findHeld(): void {
    this.heldFrom = null;
    for (const { place } of this.holds) {
      const { heldFrom } = this;
      this.heldFrom = this.rings.map((_, partition) =>
        Math.min(place[partition] ?? 0, heldFrom?.[partition] ?? Infinity),
      );
    }
  }

  private drop(ring: PartitionRing, event: StreamEvent): void {
    ring.shift();
    this.ids.delete(event.id);
    this.bytes -= bytesOf(event);
  }
}
