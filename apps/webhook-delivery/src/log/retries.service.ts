import { Injectable } from '@nestjs/common';
import {
  type DeliveryItem,
  Problem,
  RETRYABLE_STATES,
  type RecoverDeliveriesBody,
  type RecoveredDeliveries,
  notFound,
} from '@plimsoll/contracts';
import { Clock } from '../clock';
import { DeliveryWorker } from '../delivery/delivery-worker';
import { WebhooksRepository } from '../endpoints/webhooks.repository';
import { DeliveryLogService } from './delivery-log.service';
import { RetriesRepository } from './retries.repository';

const BATCH_DELIVERIES = 1_000;
/** More than these would keep the caller waiting. */
const MAX_BATCHES = 20;

/** Retries what has reached its end, by hand. */
@Injectable()
export class RetriesService {
  constructor(
    private readonly retries: RetriesRepository,
    private readonly log: DeliveryLogService,
    private readonly webhooks: WebhooksRepository,
    private readonly worker: DeliveryWorker,
    private readonly clock: Clock,
  ) {}

  /** @throws not_found; conflict unless it is failed or skipped and its endpoint enabled */
  async retry(accountId: string, deliveryId: string): Promise<DeliveryItem> {
    const { webhookId, state } = await this.log.find(accountId, deliveryId);
    const webhook = await this.webhooks.find(accountId, webhookId);
    if (!webhook)
      throw new Problem('conflict', 'The endpoint of this delivery was deleted: it stays in the log.');
    if (!webhook.isEnabled) throw disabled();
    if (!(await this.retries.retry(deliveryId, this.clock.now()))) {
      throw new Problem(
        'conflict',
        `This delivery is ${state}. Only failed and skipped ones can be retried.`,
      );
    }
    const { body: _body, ...pending } = await this.log.find(accountId, deliveryId);
    this.worker.wake();
    return pending;
  }

  /** @throws not_found; conflict while the endpoint is disabled */
  async recover(
    accountId: string,
    webhookId: string,
    { since, states }: RecoverDeliveriesBody,
  ): Promise<RecoveredDeliveries> {
    const webhook = await this.webhooks.find(accountId, webhookId);
    if (!webhook) throw notFound('webhook');
    if (!webhook.isEnabled) throw disabled();
    const recovery = { webhookId, states: states ?? RETRYABLE_STATES, sinceMs: Date.parse(since) };
    let count = 0;
    for (let batch = 1; batch <= MAX_BATCHES; batch += 1) {
      const taken = await this.retries.recover(recovery, BATCH_DELIVERIES, this.clock.now());
      count += taken;
      this.worker.wake();
      if (taken < BATCH_DELIVERIES) return { count, isComplete: true };
    }
    return { count, isComplete: false };
  }
}

function disabled(): Problem {
  return new Problem(
    'conflict',
    'The endpoint is disabled. Enable it first: PATCH /v1/webhooks/:id with isEnabled true.',
  );
}
