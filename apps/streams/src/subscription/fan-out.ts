import { Injectable } from '@nestjs/common';
import type { StreamName } from '@plimsoll/contracts';
import { Connections } from '../connection/connections';
import { EventFrame } from '../connection/event-frame';
import type { StreamEvent } from '../log/stream-event';
import { deliveries, eventToSocketSeconds } from '../metrics';
import { Audience } from './audience';
import { DeliveryBatch } from './delivery-batch';
import { SlotSet } from './slot-set';

/**
 * Delivers each new event to the connections that may see it and match it. Its frame is created once for all
 * of them.
 */
@Injectable()
export class FanOut {
  constructor(
    private readonly connections: Connections,
    private readonly audience: Audience,
  ) {}

  /** @param cursor cursor after the event; `cursorBefore` is the one before it */
  deliver(stream: StreamName, event: StreamEvent, cursor: string, cursorBefore: string): void {
    // The set belongs to this event only. After a failure no connection stays marked for the next event,
    // which may belong to another account.
    const wanting = new SlotSet();
    const want = (slot: number): void => wanting.add(slot);
    for (const accountId of this.audience.of(stream, event)) {
      this.connections.match(stream, accountId, event.subject, want);
    }
    const batch = new DeliveryBatch(() => new EventFrame(event, cursor, cursorBefore));
    // In the order of arrival over all accounts, because connections that were created one after the other
    // are adjacent in memory, in the process and in the kernel. Once per connection for any number of
    // matching subscriptions.
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
