import type { EventFrame } from '../connection/event-frame';
import type { StreamConnection } from '../connection/stream-connection';

/**
 * Connections looked at in a row before they are written to. What lies in memory about a client has left the
 * processor’s cache since the last event; looked up one after the other, with nothing between, the waits overlap.
 */
const SIZE = 16;

/** Connections that are to be sent one event. */
export class DeliveryBatch {
  delivered = 0;
  private readonly waiting: StreamConnection[] = [];
  private readonly idle: StreamConnection[] = [];
  private frame: EventFrame | undefined;

  /** @param makeFrame called once, when there is somebody to send it to */
  constructor(private readonly makeFrame: () => EventFrame) {}

  add(connection: StreamConnection): void {
    this.waiting.push(connection);
    if (this.waiting.length === SIZE) this.flush();
  }

  /** Sends it to those that have not been sent it yet. */
  flush(): void {
    if (this.waiting.length === 0) return;
    const frame = (this.frame ??= this.makeFrame());
    for (const connection of this.waiting) {
      if (connection.isIdle) this.idle.push(connection);
      else connection.deliver(frame);
    }
    for (const connection of this.idle) connection.send(frame);
    this.delivered += this.waiting.length;
    this.waiting.length = 0;
    this.idle.length = 0;
  }
}
