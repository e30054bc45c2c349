import { Injectable } from '@nestjs/common';
import {
  Problem,
  RETRYABLE_STATES,
  type RecoverDeliveriesBody,
  type RecoveredDeliveries,
  type RetriedDelivery,
  notFound,
} from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import type { Commit, Committed } from '@plimsoll/service-kit';
import { DeliveryWorker } from '../delivery/delivery-worker';
import { WebhooksRepository } from '../endpoints/webhooks.repository';
import { DeliveryLogService } from './delivery-log.service';
import { type Recovery, RetriesRepository } from './retries.repository';

const BATCH_DELIVERIES = 1_000;
/** More batches would keep the client waiting and the transaction open. */
const MAX_BATCHES = 20;

/** Retries completed deliveries on request of the account. */
@Injectable()
export class RetriesService {
  constructor(
    private readonly retries: RetriesRepository,
    private readonly log: DeliveryLogService,
    private readonly webhooks: WebhooksRepository,
    private readonly worker: DeliveryWorker,
    private readonly clock: Clock,
  ) {}

  /** @throws not_found; conflict unless the delivery is failed or skipped and its endpoint enabled */
  retry(accountId: string, deliveryId: string, commit: Commit): Promise<Committed<RetriedDelivery>> {
    const remedy = 'Only failed and skipped ones can be retried.';
    return this.#again(accountId, deliveryId, commit, remedy, (tx, nowMs) =>
      this.retries.retry(tx, deliveryId, nowMs),
    );
  }

  /** @throws not_found; conflict unless the delivery is delivered and its endpoint enabled */
  resend(accountId: string, deliveryId: string, commit: Commit): Promise<Committed<RetriedDelivery>> {
    const remedy = 'Only delivered ones can be sent again; retry a failed or skipped one.';
    return this.#again(accountId, deliveryId, commit, remedy, (tx, nowMs) =>
      this.retries.resend(tx, deliveryId, nowMs),
    );
  }

  /** @param take makes the delivery pending, and returns false in a state where it cannot be */
  async #again(
    accountId: string,
    deliveryId: string,
    commit: Commit,
    remedy: string,
    take: (tx: SqlExecutor, nowMs: number) => Promise<boolean>,
  ): Promise<Committed<RetriedDelivery>> {
    const { body: _body, ...delivery } = await this.log.find(accountId, deliveryId);
    const webhook = await this.webhooks.find(accountId, delivery.webhookId);
    if (!webhook) {
      throw new Problem(
        'conflict',
        'The endpoint of this delivery was deleted. The delivery remains in the log.',
      );
    }
    if (!webhook.isEnabled) throw disabled();
    const nowMs = this.clock.now();
    const response = await commit(async (tx) => {
      if (!(await take(tx, nowMs)))
        throw new Problem('conflict', `This delivery is ${delivery.state}. ${remedy}`);
      const nextAttemptAt = new Date(nowMs).toISOString();
      const pending = { ...delivery, state: 'pending' as const, finishedAt: null, nextAttemptAt };
      return { status: 202, body: { delivery: pending } };
    });
    this.worker.wake();
    return response;
  }

  /** @throws not_found; conflict while the endpoint is disabled */
  async recover(
    accountId: string,
    webhookId: string,
    { since, states }: RecoverDeliveriesBody,
    commit: Commit,
  ): Promise<Committed<RecoveredDeliveries>> {
    const webhook = await this.webhooks.find(accountId, webhookId);
    if (!webhook) throw notFound('webhook');
    if (!webhook.isEnabled) throw disabled();
    const recovery = { webhookId, states: states ?? RETRYABLE_STATES, sinceMs: Date.parse(since) };
    const response = await commit(async (tx) => ({ status: 202, body: await this.#recover(tx, recovery) }));
    this.worker.wake();
    return response;
  }

  async #recover(tx: SqlExecutor, recovery: Recovery): Promise<RecoveredDeliveries> {
    const nowMs = this.clock.now();
    let count = 0;
    for (let batch = 1; batch <= MAX_BATCHES; batch += 1) {
      const taken = await this.retries.recover(tx, recovery, BATCH_DELIVERIES, nowMs);
      count += taken;
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
