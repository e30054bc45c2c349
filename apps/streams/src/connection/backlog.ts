import type { EncodedFrame } from './encoded-frame';
import type { EventFrame } from './event-frame';

interface Waiting {
  frame: EventFrame;
  isConflated: boolean;
}

/** Unsent events of a slow client. It keeps only the latest event of each position. */
export class Backlog {
  bytes = 0;
  /** By position, in the order of their last events, so that the cursor of each sent frame is true. */
  private readonly waiting = new Map<string, Waiting>();

  /** @param cursor end of everything that the client was sent */
  constructor(public cursor: string) {}

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** Returns true when it replaces an older event of the position. */
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

  /** Returns the next frame to send, or undefined. */
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
