import { Module } from '@nestjs/common';
import { OutgoingModule } from '../outgoing/outgoing.module';
import { SecretsModule } from '../secrets/secrets.module';
import { AttemptService } from './attempt.service';
import { DeliveryMetrics } from './delivery-metrics';
import { DeliveryQueue } from './delivery-queue';
import { DeliverySender } from './delivery-sender';
import { DeliveryWorker } from './delivery-worker';
import { LocalLeaseCache } from './local-lease-cache';
import { ResultWriter } from './result-writer';
import { ResultsRepository } from './results.repository';

/** Claims due deliveries, sends them and records their results. */
@Module({
  imports: [OutgoingModule, SecretsModule],
  providers: [
    AttemptService,
    DeliveryMetrics,
    DeliveryQueue,
    DeliverySender,
    DeliveryWorker,
    LocalLeaseCache,
    ResultWriter,
    ResultsRepository,
  ],
  exports: [
    AttemptService,
    DeliveryMetrics,
    DeliverySender,
    DeliveryWorker,
    LocalLeaseCache,
    ResultsRepository,
  ],
})
export class DeliveryModule {}
