import { Injectable } from '@nestjs/common';
import { type WebhookList, invalidRequest } from '@plimsoll/contracts';
import { type Caller, InnerClient } from '@plimsoll/service-kit';
import { AlertsConfig } from '../config';

const PAGE = 200;

/** Reads webhook endpoints from the webhook-delivery service. */
@Injectable()
export class WebhookLookup {
  private readonly upstream: InnerClient;

  constructor({ UPSTREAM_WEBHOOK_DELIVERY }: AlertsConfig) {
    this.upstream = new InnerClient(UPSTREAM_WEBHOOK_DELIVERY, 'The webhook endpoint');
  }

  /** @throws invalid_request naming action.webhookId when the caller has no such endpoint */
  async check(caller: Caller, webhookId: string): Promise<void> {
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/v1/webhooks?limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`;
      const page: WebhookList | null = await this.upstream.get(path, caller);
      if (page?.webhooks.some(({ id }) => id === webhookId)) return;
      cursor = page?.nextCursor ?? null;
    }
    const message = 'No such webhook endpoint of this account. GET /v1/webhooks lists them.';
    throw invalidRequest([{ field: 'action.webhookId', code: 'not_found', message }]);
  }
}
