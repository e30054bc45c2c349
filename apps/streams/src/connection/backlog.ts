import type { EncodedFrame } from './encoded-frame';
import type { EventFrame } from './event-frame';

interface Waiting {
  frame: EventFrame;
  isConflated: boolean;
}

/** What a slow client is not sent yet: of each position the latest event alone. */
export class Backlog {
  bytes = 0;
  /** By position, in the order of their last events: so the cursor of each frame that is sent is true. */
  private readonly waiting = new Map<string, Waiting>();

  /** @param cursor of the place up to which the client was sent everything */
  constructor(public cursor: string) {}

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** True when an older event of the position is passed over for it. */
  put(frame: EventFrame): boolean {
    const key = frame.event.subject.position?.id ?? frame.event.id;
    const older = this.waiting.get(key);
    if (older) {
      this.waiting.delete(key);
      this.bytes -= older.frame.json.length;
    }
    this.waiting.set(key, { frame, isConflated: older !== undefined });
    this.bytes += frame.json.length;
    return older !== undefined;
  }

  /** The next frame to send; undefined: none waits. */
  take(): EncodedFrame | undefined {
    const [first] = this.waiting;
    if (!first) return undefined;
    const [key, { frame, isConflated }] = first;
    this.waiting.delete(key);
    this.bytes -= frame.json.length;
    this.cursor = frame.cursor;
    return isConflated ? frame.conflated : frame;
  }
}
