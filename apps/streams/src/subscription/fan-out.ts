import { Injectable } from '@nestjs/common';
import type { StreamName } from '@plimsoll/contracts';
import { Connections } from '../connection/connections';
import { EventFrame } from '../connection/event-frame';
import type { StreamEvent } from '../log/stream-event';
import { deliveries, eventToSocketSeconds } from '../metrics';
import { Audience } from './audience';
import { DeliveryBatch } from './delivery-batch';
import type { Subscription } from './subscription';

/** Hands each new event to the connections that may see it and want it; its frame is made once for all of them. */
@Injectable()
export class FanOut {
  private mark = 0;

  constructor(
    private readonly connections: Connections,
    private readonly audience: Audience,
  ) {}

  /** @param cursor of the place after the event, `cursorBefore` of the one before it */
  deliver(stream: StreamName, event: StreamEvent, cursor: string, cursorBefore: string): void {
    const mark = (this.mark += 1);
    const batch = new DeliveryBatch(() => new EventFrame(event, cursor, cursorBefore));
    const hand = ({ connection }: Subscription): void => {
      if (connection.lastMark === mark) return;
      connection.lastMark = mark;
      batch.add(connection);
    };
    for (const accountId of this.audience.of(stream, event)) {
      this.connections.match(stream, accountId, event.subject, hand);
    }
    batch.flush();
    if (batch.delivered === 0) return;
    deliveries.inc({ stream }, batch.delivered);
    eventToSocketSeconds.observe({ stream }, (Date.now() - event.timeMs) / 1_000);
  }
}
