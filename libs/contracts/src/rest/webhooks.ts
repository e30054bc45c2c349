import { type Static, Type } from '@sinclair/typebox';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { WEBHOOK_DISABLED_REASONS, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../webhooks';
import { itemCount, nextCursor, nullable, oneOf, recordId, timestamp } from './fields';
import { Optional } from './optional';

/** Body of POST /v1/webhooks. The service itself decides whether the URL is safe (400 unsafe_url). */
export class CreateWebhookBody {
  @JSONSchema({
    description: 'URL that receives the events: https, a public address, no user info.',
    format: 'uri',
  })
  @IsString()
  @MaxLength(2048)
  url!: string;

  @JSONSchema({ description: 'Event types that this endpoint receives.' })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(WEBHOOK_EVENT_TYPES.length)
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENT_TYPES, { each: true })
  events!: WebhookEventType[];
}

/** Body of PATCH /v1/webhooks/:id. Absent fields keep their value. */
export class UpdateWebhookBody {
  @JSONSchema({
    description: 'URL that receives the events: https, a public address, no user info.',
    format: 'uri',
  })
  @Optional()
  @IsString()
  @MaxLength(2048)
  url?: string;

  @JSONSchema({ description: 'Event types that this endpoint receives.' })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(WEBHOOK_EVENT_TYPES.length)
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENT_TYPES, { each: true })
  events?: WebhookEventType[];

  @JSONSchema({ description: 'False: deliveries are stored as skipped and can be recovered later.' })
  @Optional()
  @IsBoolean()
  isEnabled?: boolean;
}

/** Body of POST /v1/webhooks/:id/rotate-secret. */
export class RotateSecretBody {
  @JSONSchema({
    description:
      'Hours for which requests are signed with both secrets. 24 when absent. 0 replaces the secret immediately, or ends a current overlap.',
  })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(168)
  overlapHours?: number;
}

/** Body of POST /v1/webhooks/:id/test. */
export class TestWebhookBody {
  @JSONSchema({ description: 'Event type of the test. The default is test.ping.' })
  @Optional()
  @IsIn(WEBHOOK_EVENT_TYPES)
  event?: WebhookEventType;
}

/** Why the service disabled an endpoint. */
const ENDPOINT_DISABLED_REASONS = [...WEBHOOK_DISABLED_REASONS, 'tier_cap'] as const;
const DISABLED_REASON =
  'gone: it responded with 410. failing: every attempt of 5 days failed. tier_cap: it is among the newest above the tier’s cap. Null: enabled, or disabled by the account.';

/** Webhook endpoint in the list. */
export const WebhookItem = Type.Object({
  id: recordId('wh', 'Id of the endpoint.'),
  url: Type.String({ format: 'uri', description: 'URL that receives the events.' }),
  events: Type.Array(oneOf(WEBHOOK_EVENT_TYPES), { description: 'Event types that it receives.' }),
  isEnabled: Type.Boolean({ description: 'False: it receives no events.' }),
  disabledReason: nullable(oneOf(ENDPOINT_DISABLED_REASONS), DISABLED_REASON),
  deliveryCount: Type.Integer({ minimum: 0, description: 'Deliveries created for it so far.' }),
  createdAt: timestamp('When it was created.'),
});
export type WebhookItem = Static<typeof WebhookItem>;

/** Response of GET /v1/webhooks. */
export const WebhookList = Type.Object({
  webhooks: Type.Array(WebhookItem, { description: 'Newest first.' }),
  count: itemCount,
  nextCursor,
});
export type WebhookList = Static<typeof WebhookList>;

const secret = Type.String({
  pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
  description: 'Signing secret. Only this response shows it.',
});

/** Response of POST /v1/webhooks. Only this response shows the secret. */
export const CreatedWebhook = Type.Object({
  webhook: Type.Composite([
    Type.Omit(WebhookItem, ['deliveryCount', 'disabledReason']),
    Type.Object({ secret }),
  ]),
});
export type CreatedWebhook = Static<typeof CreatedWebhook>;

/** Response of PATCH /v1/webhooks/:id. */
export const UpdatedWebhook = Type.Object({ webhook: WebhookItem });
export type UpdatedWebhook = Static<typeof UpdatedWebhook>;

/** Response of POST /v1/webhooks/:id/rotate-secret. */
export const RotatedSecret = Type.Object({
  webhook: Type.Object({
    id: recordId('wh', 'Id of the endpoint.'),
    secret: nullable(
      secret,
      'Null: the request only ended an overlap. The secret of that rotation is in use.',
    ),
    overlapEndsAt: nullable(
      timestamp('A moment.'),
      'Until then x-service-signature uses the previous secret and x-service-signature-next this one. Null: only this one is in use.',
    ),
  }),
});
export type RotatedSecret = Static<typeof RotatedSecret>;

/** Response of DELETE /v1/webhooks/:id. */
export const DeletedWebhook = Type.Object({
  success: Type.Boolean({ description: 'Always true.' }),
  deleted: recordId('wh', 'Id of the deleted endpoint.'),
});
export type DeletedWebhook = Static<typeof DeletedWebhook>;

/** Response of POST /v1/webhooks/:id/test. */
export const WebhookTestResult = Type.Object({
  success: Type.Boolean({ description: 'True: the endpoint responded with 2xx.' }),
  statusCode: Type.Integer({
    minimum: 0,
    description: 'Status of the endpoint’s response. 0: no response; `error` states why.',
  }),
  responseTime: Type.Integer({ minimum: 0, description: 'Milliseconds.' }),
  deliveryId: recordId('del', 'Id of the delivery, as in x-service-delivery.'),
  error: Type.Optional(Type.String({ description: 'Why there was no response. Absent when there was one.' })),
});
export type WebhookTestResult = Static<typeof WebhookTestResult>;
