import { Module } from '@nestjs/common';
import { Clients } from './connection/clients';
import { Connections } from './connection/connections';
import { EndedKeys } from './log/ended-keys';
import { History } from './log/history';
import { LogFollower } from './log/log-follower';
import { Logs } from './log/logs';
import { Positions } from './log/positions';
import { LogThread } from './log/thread/log-thread';
import { Watches } from './log/watches';
import { ConnectionCounts } from './connection-counts/connection-counts';
import { Audience } from './subscription/audience';
import { FanOut } from './subscription/fan-out';
import { Resumption } from './subscription/resumption';
import { Snapshots } from './subscription/snapshots';
import { Tickets } from './tickets/tickets';
import { TicketsController } from './tickets/tickets.controller';
import { StreamServer } from './upgrade/stream-server';

@Module({
  controllers: [TicketsController],
  providers: [
    Audience,
    Clients,
    Connections,
    EndedKeys,
    FanOut,
    History,
    LogFollower,
    LogThread,
    Logs,
    ConnectionCounts,
    Positions,
    Resumption,
    Snapshots,
    StreamServer,
    Tickets,
    Watches,
  ],
})
export class AppModule {}
