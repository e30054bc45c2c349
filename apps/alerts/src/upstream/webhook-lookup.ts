import { Injectable } from '@nestjs/common';
import { type WebhookList, invalidRequest } from '@plimsoll/contracts';
import { AlertsConfig } from '../config';
import { type Caller, innerGet } from './inner-call';

const PAGE = 200;

/** Webhook endpoints as the webhook-delivery service knows them now. */
@Injectable()
export class WebhookLookup {
  constructor(private readonly config: AlertsConfig) {}

  /** @throws invalid_request naming action.webhookId when it is none of the caller's endpoints */
  async check(caller: Caller, webhookId: string): Promise<void> {
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/v1/webhooks?limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`;
      const page: WebhookList | null = await innerGet(this.config.UPSTREAM_WEBHOOK_DELIVERY, path, caller);
      if (page?.webhooks.some(({ id }) => id === webhookId)) return;
      cursor = page?.nextCursor ?? null;
    }
    const message = 'No such webhook endpoint of this account. GET /v1/webhooks lists them.';
    throw invalidRequest([{ field: 'action.webhookId', code: 'not_found', message }]);
  }
}
