import { Module } from '@nestjs/common';
import { ConnectionModule } from '../connection/connection.module';
import { LogModule } from '../log/log.module';
import { ConnectionCounts } from '../connection-counts/connection-counts';
import { SubscriptionModule } from '../subscription/subscription.module';
import { TicketsModule } from '../tickets/tickets.module';
import { Clients } from './clients';
import { StreamServer } from './stream-server';

/** Accepts WebSocket and Socket.IO clients within their limits. */
@Module({
  imports: [ConnectionModule, LogModule, SubscriptionModule, TicketsModule],
  providers: [Clients, ConnectionCounts, StreamServer],
})
export class UpgradeModule {}
