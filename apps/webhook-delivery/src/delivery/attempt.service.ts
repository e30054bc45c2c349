import { Injectable } from '@nestjs/common';
import { Clock, SecretBox } from '@plimsoll/service-kit';
import type { WebhookTarget } from '../outgoing/webhook-target';
import { deliveryRequest, type SignableDelivery } from '../outgoing/delivery-request';
import type { SentResult } from './attempt-result';
import { HttpSender } from '../outgoing/http-sender';
import { signingSecretsAt } from '../secrets/signing-secrets';

/** Makes one attempt: signs and sends. */
@Injectable()
export class AttemptService {
  constructor(
    private readonly sender: HttpSender,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** @param attempt number of this attempt, from 1 */
  async send(delivery: SignableDelivery, target: WebhookTarget, attempt: number): Promise<SentResult> {
    const nowMs = this.clock.now();
    const secrets = signingSecretsAt(target, target.webhookId, this.secrets, nowMs);
    // The log derives the timestamp of the request from its begin.
    const result = await this.sender.post(deliveryRequest(delivery, secrets, attempt, nowMs), nowMs);
    return Object.assign(result, { signatures: secrets.next === null ? 1 : 2 });
  }
}
