import type { StreamEvent } from './stream-event';

const COMPACT_AT = 1_024;

/** The latest events of one partition, in the order of their offsets. */
export class PartitionRing {
  /** Every event from this offset on is in memory. */
  start: number;
  /** Offset of the next event to arrive. */
  next: number;
  /** Below this offset, events were dropped because of their age. */
  expiredBelow: number;
  /** Valid from `head` on. */
  private events: (StreamEvent | undefined)[] = [];
  private head = 0;

  constructor(offset: number) {
    this.start = offset;
    this.next = offset;
    this.expiredBelow = offset;
  }

  get oldest(): StreamEvent | undefined {
    return this.events[this.head];
  }

  push(event: StreamEvent): void {
    this.events.push(event);
    this.next = event.offset + 1;
  }

  /** Drops the oldest event. */
  shift(): void {
    const event = this.events[this.head];
    if (!event) return;
    // Otherwise the dropped event would stay in memory until its slot is removed.
    this.events[this.head] = undefined;
    this.head += 1;
    this.start = event.offset + 1;
    if (this.head < COMPACT_AT || this.head * 2 < this.events.length) return;
    this.events = this.events.slice(this.head);
    this.head = 0;
  }

  /** Returns the events from `offset` on, oldest first, at most `limit`. */
  from(offset: number, limit: number): StreamEvent[] {
    let low = this.head;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.events[middle] as StreamEvent).offset < offset) low = middle + 1;
      else high = middle;
    }
    return this.events.slice(low, low + limit) as StreamEvent[];
  }
}
