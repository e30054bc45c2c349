import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import { deliveryRequest, type SignableDelivery } from '../outgoing/delivery-request';
import { HttpSender, type SendResult } from '../outgoing/http-sender';
import { SecretBox } from '../secrets/secret-box';

/** A delivery with the sealed secret of its endpoint. */
export interface SendableDelivery extends SignableDelivery {
  webhookId: string;
  secretKeyId: string;
  secretSealed: Uint8Array;
}

/** Makes one attempt: signs and sends. */
@Injectable()
export class AttemptService {
  constructor(
    private readonly sender: HttpSender,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** @param attempt number of this attempt, from 1 */
  send(delivery: SendableDelivery, attempt: number): Promise<SendResult> {
    const { secretKeyId: keyId, secretSealed: sealed, webhookId } = delivery;
    const secret = this.secrets.open({ keyId, sealed }, webhookId);
    return this.sender.post(deliveryRequest(delivery, secret, attempt, this.clock.now()));
  }
}
