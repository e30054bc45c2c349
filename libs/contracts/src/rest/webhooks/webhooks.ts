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
import { SEVERITIES, type Severity } from '../../alerts';
import { PROTOCOL_IDS } from '../../names';
import { WEBHOOK_DISABLED_REASONS, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../webhooks';
import { DELIVERY_ID, Example, Field, IsId, Optional, TIMESTAMP, WEBHOOK_ID } from '../fields';

const URL = 'https://hooks.example.com/plimsoll';
const EVENTS = ['alert.created', 'alert.resolved'];
const FILTER = { severities: ['high', 'critical'], protocols: ['aave-v3'], chainIds: [1] };
const ENDPOINT = {
  id: WEBHOOK_ID,
  url: URL,
  events: EVENTS,
  ...FILTER,
  walletGroupIds: [],
  isEnabled: true,
  createdAt: TIMESTAMP,
};
const LISTED = { ...ENDPOINT, disabledReason: null, deliveryCount: 42 };
const SECRET = `whsec_${'A'.repeat(43)}=`;

const MAX_CHAINS = 100;
const MOST_GROUPS_OF_WEBHOOK = 100;

/** The filters of an endpoint. They apply together. An empty list filters nothing. */
class WebhookFilterBody {
  @JSONSchema({
    description:
      'Only alerts of these severities: alert.created, alert.escalated, alert.updated and alert.group. A change is sent when the severity before or after it is listed. Other event types have no severity, and alert.resolved is always sent. Empty: every severity.',
  })
  @Optional()
  @IsArray()
  @ArrayMaxSize(SEVERITIES.length)
  @ArrayUnique()
  @IsIn(SEVERITIES, { each: true })
  severities?: Severity[];

  @JSONSchema({
    description:
      'Only events of these protocols, as in GET /v1/protocols. An event without a protocol is not sent. Empty: every event.',
  })
  @Optional()
  @IsArray()
  @ArrayMaxSize(PROTOCOL_IDS.length)
  @ArrayUnique()
  @IsIn(PROTOCOL_IDS, { each: true })
  protocols?: string[];

  @JSONSchema({
    description:
      'Only events of these chains, as in GET /v1/chains. An event without a chain is not sent. Empty: every event.',
  })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_CHAINS)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(Number.MAX_SAFE_INTEGER, { each: true })
  chainIds?: number[];

  @JSONSchema({
    description:
      'Only events of watched wallets in these wallet groups, by their ids, as in GET /v1/wallet-groups. An event without a wallet is not sent. Empty: every event.',
  })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MOST_GROUPS_OF_WEBHOOK)
  @ArrayUnique()
  @IsId('wgr', { each: true })
  walletGroupIds?: string[];
}

/** Body of POST /v1/webhooks. The service itself decides whether the URL is safe (400 unsafe_url). */
@Example({ url: URL, events: EVENTS, ...FILTER })
export class CreateWebhookBody extends WebhookFilterBody {
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
@Example({ events: EVENTS, isEnabled: true })
export class UpdateWebhookBody extends WebhookFilterBody {
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
@Example({ overlapHours: 24 })
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
@Example({ event: 'test.ping' })
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

class WebhookFields {
  @Field.Id('wh', 'Id of the endpoint.') id!: string;
  @Field.Text('URL that receives the events.', { format: 'uri' }) url!: string;

  @Field.Word(WEBHOOK_EVENT_TYPES, 'Event types that it receives.', { list: true })
  events!: WebhookEventType[];

  @Field.Word(SEVERITIES, 'Severities of the alerts that it receives. Empty: all.', { list: true })
  severities!: Severity[];

  @Field.Text('Protocols of the events that it receives. Empty: all.', { list: true })
  protocols!: string[];

  @Field.Integer('Chains of the events that it receives. Empty: all.', { list: true })
  chainIds!: number[];

  @Field.Id('wgr', 'Wallet groups of the events that it receives. Empty: all.', { list: true })
  walletGroupIds!: string[];

  @Field.Boolean('False: it receives no events.') isEnabled!: boolean;

  @Field.Timestamp('When it was created.') createdAt!: string;
}

/** Webhook endpoint in the list. */
export class WebhookItem extends WebhookFields {
  @Field.Word(ENDPOINT_DISABLED_REASONS, DISABLED_REASON, { nullable: true })
  disabledReason!: (typeof ENDPOINT_DISABLED_REASONS)[number] | null;

  @Field.Integer('Deliveries created for it so far.', { min: 0 }) deliveryCount!: number;
}

/** Response of GET /v1/webhooks. */
@Example({ webhooks: [LISTED], count: 1, nextCursor: null })
export class WebhookList {
  @Field.Object(() => WebhookItem, 'Newest first.', { list: true }) webhooks!: WebhookItem[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}

class CreatedWebhookWebhook extends WebhookFields {
  @Field.Text('Signing secret. Only this response shows it.', { pattern: '^whsec_[A-Za-z0-9+/]{43}=$' })
  secret!: string;
}

/** Response of POST /v1/webhooks. Only this response shows the secret. */
@Example({ webhook: { ...ENDPOINT, secret: SECRET } })
export class CreatedWebhook {
  @Field.Object(() => CreatedWebhookWebhook, 'The new endpoint.')
  webhook!: CreatedWebhookWebhook;
}

/** Response of PATCH /v1/webhooks/:id. */
@Example({ webhook: LISTED })
export class UpdatedWebhook {
  @Field.Object(() => WebhookItem, 'The endpoint after the change.') webhook!: WebhookItem;
}

class RotatedSecretWebhook {
  @Field.Id('wh', 'Id of the endpoint.') id!: string;

  @Field.Text('Null: the request only ended an overlap. The secret of that rotation is in use.', {
    pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
    nullable: true,
  })
  secret!: string | null;

  @Field.Timestamp(
    'Until then x-service-signature uses the previous secret and x-service-signature-next this one. Null: only this one is in use.',
    { nullable: true },
  )
  overlapEndsAt!: string | null;
}

/** Response of POST /v1/webhooks/:id/rotate-secret. */
@Example({ webhook: { id: WEBHOOK_ID, secret: SECRET, overlapEndsAt: TIMESTAMP } })
export class RotatedSecret {
  @Field.Object(() => RotatedSecretWebhook, 'The endpoint with its new secret.')
  webhook!: RotatedSecretWebhook;
}

/** Response of DELETE /v1/webhooks/:id. */
@Example({ success: true, deleted: WEBHOOK_ID })
export class DeletedWebhook {
  @Field.Boolean('Always true.') success!: boolean;
  @Field.Id('wh', 'Id of the deleted endpoint.') deleted!: string;
}

/** Response of POST /v1/webhooks/:id/test. */
@Example({ success: true, statusCode: 204, responseTime: 87, deliveryId: DELIVERY_ID })
export class WebhookTestResult {
  @Field.Boolean('True: the endpoint responded with 2xx.') success!: boolean;

  @Field.Integer('Status of the endpoint’s response. 0: no response; `error` states why.', { min: 0 })
  statusCode!: number;

  @Field.Integer('Milliseconds.', { min: 0 }) responseTime!: number;
  @Field.Id('del', 'Id of the delivery, as in x-service-delivery.') deliveryId!: string;
  @Optional() @Field.Text('Why there was no response. Absent when there was one.') error?: string;
}
