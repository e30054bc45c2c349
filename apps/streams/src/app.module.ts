import { Module } from '@nestjs/common';
import { Clients } from './connection/clients';
import { Connections } from './connection/connections';
import { History } from './log/history';
import { LogFollower } from './log/log-follower';
import { Logs } from './log/logs';
import { Positions } from './log/positions';
import { Watches } from './log/watches';
import { Audience } from './subscription/audience';
import { FanOut } from './subscription/fan-out';
import { Resumption } from './subscription/resumption';
import { Snapshots } from './subscription/snapshots';
import { StreamServer } from './upgrade/stream-server';

@Module({
  providers: [
    Audience,
    Clients,
    Connections,
    FanOut,
    History,
    LogFollower,
    Logs,
    Positions,
    Resumption,
    Snapshots,
    StreamServer,
    Watches,
  ],
})
export class AppModule {}
