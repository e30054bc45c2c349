import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../webhooks';

/** Body of POST /v1/webhooks. Whether the URL is safe is the service's to say (400 unsafe_url). */
export class CreateWebhookBody {
  @IsString()
  @MaxLength(2048)
  url!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(WEBHOOK_EVENT_TYPES.length)
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENT_TYPES, { each: true })
  events!: WebhookEventType[];
}

/** Body of POST /v1/webhooks/:id/test: the event type to send, test.ping when absent. */
export class TestWebhookBody {
  @IsOptional()
  @IsIn(WEBHOOK_EVENT_TYPES)
  event?: WebhookEventType;
}

/** Webhook endpoint in the list. */
export interface WebhookItem {
  id: string;
  url: string;
  events: WebhookEventType[];
  isEnabled: boolean;
  deliveryCount: number;
  createdAt: string;
}

/** Answer of GET /v1/webhooks. */
export interface WebhookList {
  webhooks: WebhookItem[];
  count: number;
  nextCursor: string | null;
}

/** Answer of POST /v1/webhooks; the only time the secret is shown. */
export interface CreatedWebhook {
  webhook: Pick<WebhookItem, 'id' | 'url' | 'events' | 'isEnabled' | 'createdAt'> & { secret: string };
}

/** Answer of DELETE /v1/webhooks/:id. */
export interface DeletedWebhook {
  success: boolean;
  deleted: string;
}

/** Answer of POST /v1/webhooks/:id/test. */
export interface WebhookTestResult {
  success: boolean;
  /** Status the endpoint answered; 0 when no answer came, with the reason in `error`. */
  statusCode: number;
  /** Milliseconds. */
  responseTime: number;
  deliveryId: string;
  error?: string;
}
