import { Injectable } from '@nestjs/common';
import type { StreamName } from '@plimsoll/contracts';
import { Connections } from '../connection/connections';
import { EventFrame } from '../connection/event-frame';
import type { StreamEvent } from '../log/stream-event';
import { deliveries, eventToSocketSeconds } from '../metrics';
import { Audience } from './audience';
import { DeliveryBatch } from './delivery-batch';
import { SlotSet } from './slot-set';

/** Hands each new event to the connections that may see it and want it; its frame is made once for all of them. */
@Injectable()
export class FanOut {
  constructor(
    private readonly connections: Connections,
    private readonly audience: Audience,
  ) {}

  /** @param cursor of the place after the event, `cursorBefore` of the one before it */
  deliver(stream: StreamName, event: StreamEvent, cursor: string, cursorBefore: string): void {
    // Of this event alone: one that fails on its way leaves nobody marked for the next, which may be another account’s.
    const wanting = new SlotSet();
    const want = (slot: number): void => wanting.add(slot);
    for (const accountId of this.audience.of(stream, event)) {
      this.connections.match(stream, accountId, event.subject, want);
    }
    const batch = new DeliveryBatch(() => new EventFrame(event, cursor, cursorBefore));
    // In the order in which they came, whoever’s they are: what was made one after the other lies side by side in memory,
    // in the process as in the kernel. Once, however many of its subscriptions want the event.
    wanting.each((slot) => {
      const connection = this.connections.at(slot);
      if (connection) batch.add(connection);
    });
    batch.flush();
    if (batch.delivered === 0) return;
    deliveries.inc({ stream }, batch.delivered);
    eventToSocketSeconds.observe({ stream }, (Date.now() - event.timeMs) / 1_000);
  }
}
