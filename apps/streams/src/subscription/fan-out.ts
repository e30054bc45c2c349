import { Injectable } from '@nestjs/common';
import type {
  AlertV1,
  PositionV1,
  StreamAlert,
  StreamName,
  StreamPosition,
  StreamServerFrame,
} from '@plimsoll/contracts';
import type { ReceivedEvent } from '@plimsoll/event-bus';
import { Connections } from '../connection/connections';
import type { StreamConnection } from '../connection/stream-connection';
import { LogPosition } from '../log/log-position';
import { Positions } from '../log/positions';
import { Watches } from '../log/watches';
import { deliveries, eventToSocketSeconds } from '../metrics';
import { alertSubject, positionSubject, streamAlert } from './stream-data';
import type { FilterSubject } from './stream-filter';

/** Hands each event to the connections that may see it and want it; its frame is made once for all of them. */
@Injectable()
export class FanOut {
  readonly read: Record<StreamName, LogPosition> = {
    positions: new LogPosition(),
    alerts: new LogPosition(),
  };

  constructor(
    private readonly connections: Connections,
    private readonly watches: Watches,
    private readonly known: Positions,
  ) {}

  /** A position is for the accounts that watch its wallet. */
  positions(partition: number, events: readonly ReceivedEvent<PositionV1>[]): void {
    for (const event of events) {
      this.read.positions.advance(partition, event.offset);
      const data = event.value && this.known.apply(event.value);
      if (!data) continue;
      const candidates = [...this.watches.accountsOf(data.wallet)].flatMap((accountId) => [
        ...this.connections.of('positions', accountId),
      ]);
      if (candidates.length > 0) this.deliver('positions', candidates, event, data, positionSubject(data));
    }
  }

  /** An alert is for its own account. */
  alerts(partition: number, events: readonly ReceivedEvent<AlertV1>[]): void {
    for (const event of events) {
      this.read.alerts.advance(partition, event.offset);
      const { value } = event;
      if (!value) continue;
      const candidates = [...this.connections.of('alerts', value.accountId)];
      if (candidates.length > 0) {
        this.deliver('alerts', candidates, event, streamAlert(value), alertSubject(value));
      }
    }
  }

  private deliver(
    stream: StreamName,
    candidates: readonly StreamConnection[],
    { id, time }: ReceivedEvent<unknown>,
    data: StreamPosition | StreamAlert,
    subject: FilterSubject,
  ): void {
    const wanting = candidates.filter((connection) => connection.wants(subject));
    if (wanting.length === 0) return;
    const { cursor } = this.read[stream];
    const timestamp = new Date(time).toISOString();
    const frame: StreamServerFrame = { type: 'event', cursor, eventId: id, timestamp, data };
    const bytes = Buffer.from(JSON.stringify(frame));
    for (const connection of wanting) connection.send(bytes);
    deliveries.inc({ stream }, wanting.length);
    eventToSocketSeconds.observe({ stream }, (Date.now() - time) / 1_000);
  }
}
