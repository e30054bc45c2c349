import { Injectable } from '@nestjs/common';
import { Problem, type WebhookEventType, type WebhookTestResult, newId, notFound } from '@plimsoll/contracts';
import { type Commit, type Committed, currentCorrelation, Clock } from '@plimsoll/service-kit';
import { AttemptService } from '../delivery/attempt.service';
import { concludeAttempt, isSuccess } from '../delivery/conclude-attempt';
import { DeliveryMetrics } from '../delivery/delivery-metrics';
import { DeliverySender } from '../delivery/delivery-sender';
import { subjectOf } from '../events/event-filter';
import { webhookBody } from '../events/webhook-event';
import { SEND_ERRORS } from '../outgoing/send-error';
import { sampleData } from './sample-event';
import { TestDeliveriesRepository } from './test-deliveries.repository';
import { WebhooksRepository } from './webhooks.repository';

/** Tests wait for the endpoint while the client waits. More than these would be a significant load. */
const MAX_IN_FLIGHT = 32;

/** Sends a test event immediately in one attempt, and returns the endpoint's response. */
@Injectable()
export class TestDeliveryService {
  #inFlight = 0;

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly tests: TestDeliveriesRepository,
    private readonly attempts: AttemptService,
    private readonly metrics: DeliveryMetrics,
    private readonly sender: DeliverySender,
    private readonly clock: Clock,
  ) {}

  /** @throws not_found; upstream_unavailable while too many tests are under way */
  async send(
    accountId: string,
    webhookId: string,
    event: WebhookEventType,
    commit: Commit,
  ): Promise<Committed<WebhookTestResult>> {
    const target = await this.webhooks.target(accountId, webhookId);
    if (!target) throw notFound('webhook');
    if (this.#inFlight >= MAX_IN_FLIGHT) {
      throw new Problem('upstream_unavailable', 'Many tests are under way. Try again in a second.', {
        headers: { 'retry-after': '1' },
      });
    }
    this.#inFlight += 1;
    try {
      const timestamp = new Date(this.clock.now()).toISOString();
      const eventId = newId('evt');
      const data = sampleData(event, webhookId, timestamp);
      const payload = webhookBody({ eventId, event, timestamp, data }, webhookId);
      const delivery = {
        deliveryId: newId('del'),
        accountId,
        eventId,
        event,
        subject: subjectOf({ event, data }),
        body: payload,
        url: target.url,
        webhookId,
        failingSince: target.failingSince,
        isAwaited: false,
        ...currentCorrelation(),
      };
      const sent = await this.attempts.send(delivery, target, 1);
      const atMs = this.clock.now();
      const result = { ...concludeAttempt(1, sent, false, atMs, this.clock.random), attempts: 1, sent, atMs };
      const body = {
        success: isSuccess(sent.statusCode),
        statusCode: sent.statusCode ?? 0,
        responseTime: Math.round(sent.durationMs),
        deliveryId: delivery.deliveryId,
        ...(sent.error !== null && { error: SEND_ERRORS[sent.error] }),
      };
      const isVerified = event === 'test.ping' && body.success;
      const response = await commit(async (tx) => {
        await this.tests.insert(tx, delivery, result);
        if (isVerified) await this.webhooks.verify(tx, webhookId, target.url, atMs);
        return { status: 200, body };
      });
      this.metrics.concluded(result);
      if (isVerified) this.sender.verified(webhookId);
      return response;
    } finally {
      this.#inFlight -= 1;
    }
  }
}
