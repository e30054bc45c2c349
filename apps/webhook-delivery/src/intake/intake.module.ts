import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { WatchingModule } from '../watching/watching.module';
import { AlertChangeConsumer, AlertConsumer, AlertGroupConsumer } from './alert.consumer';
import { DeliveriesIntake } from './deliveries.intake';
import { NewDeliveries } from './new-deliveries';
import { PositionConsumer } from './position.consumer';
import { TurnsWorker } from './turns.worker';
import { WaitingEventsRepository } from './waiting-events.repository';
import { WalletConsumer } from './wallet.consumer';

/** Turns events of other services into deliveries. */
@Module({
  imports: [DeliveryModule, WatchingModule],
  controllers: [AlertChangeConsumer, AlertConsumer, AlertGroupConsumer, PositionConsumer, WalletConsumer],
  providers: [DeliveriesIntake, NewDeliveries, TurnsWorker, WaitingEventsRepository],
})
export class IntakeModule {}
