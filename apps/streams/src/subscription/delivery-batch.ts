import type { EventFrame } from '../connection/event-frame';
import type { StreamConnection } from '../connection/stream-connection';

/**
 * Connections that are looked up before any of them is written to. Since the last event, the memory of a
 * client has left the processor’s cache. Lookups one after the other let these waits overlap.
 */
const SIZE = 16;

/** Connections that receive one event. */
export class DeliveryBatch {
  delivered = 0;
  private readonly waiting: StreamConnection[] = [];
  private readonly idle: StreamConnection[] = [];
  private frame: EventFrame | undefined;

  /** @param makeFrame called once when there is a receiver */
  constructor(private readonly makeFrame: () => EventFrame) {}

  add(connection: StreamConnection): void {
    this.waiting.push(connection);
    if (this.waiting.length === SIZE) this.flush();
  }

  /** Sends the event to the connections that have not received it yet. */
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
