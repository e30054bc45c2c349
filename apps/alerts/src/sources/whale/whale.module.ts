import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module';
import { LifecycleModule } from '../../lifecycle/lifecycle.module';
import { PendingMovesRepository } from './pending-moves.repository';
import { WatchedProtocolsController } from './watched-protocols.controller';
import { WatchedProtocolsRepository } from './watched-protocols.repository';
import { WhaleAlerts } from './whale-alerts.service';
import { WhaleNotificationsPoller } from './whale-notifications.poller';
import { WhaleTargetsRepository } from './whale-targets.repository';
import { WhaleConsumer } from './whale.consumer';

/** Alerts about whale moves. */
@Module({
  imports: [AccountsModule, LifecycleModule],
  controllers: [WatchedProtocolsController, WhaleConsumer],
  providers: [
    PendingMovesRepository,
    WatchedProtocolsRepository,
    WhaleAlerts,
    WhaleNotificationsPoller,
    WhaleTargetsRepository,
  ],
  exports: [WhaleAlerts],
})
export class WhaleModule {}
