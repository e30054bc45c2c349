import { Module } from '@nestjs/common';
import { ConnectionModule } from '../connection/connection.module';
import { LogModule } from '../log/log.module';
import { Audience } from './audience';
import { FanOut } from './fan-out';
import { LogFollower } from './log-follower';
import { Resumption } from './resumption';
import { Snapshots } from './snapshots';

/** Delivers events to the subscriptions: new ones, missed ones and snapshots. */
@Module({
  imports: [ConnectionModule, LogModule],
  providers: [Audience, FanOut, LogFollower, Resumption, Snapshots],
  exports: [LogFollower, Resumption],
})
export class SubscriptionModule {}
