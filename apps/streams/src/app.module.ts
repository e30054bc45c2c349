import { Module } from '@nestjs/common';
import { Connections } from './connection/connections';
import { LogFollower } from './log/log-follower';
import { Positions } from './log/positions';
import { Watches } from './log/watches';
import { FanOut } from './subscription/fan-out';
import { Snapshots } from './subscription/snapshots';
import { StreamServer } from './upgrade/stream-server';

@Module({
  providers: [Connections, FanOut, LogFollower, Positions, Snapshots, StreamServer, Watches],
})
export class AppModule {}
