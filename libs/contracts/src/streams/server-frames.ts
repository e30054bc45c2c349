import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { ALERT_CHANGES, ALERT_SILENCES, SEVERITIES } from '../alerts';
import { AlertGroup } from '../alert-group';
import { BANDS, type Band } from '../risk/bands';
import { AlertItem } from '../rest/alerts/alerts';
import { type DtoClass, type Json, responseSchema } from '../rest/fields';
import { nullable, oneOf, sha256, shownAddress, timestamp } from '../schema-fields';
import { PositionListItem } from '../rest/positions/positions';
import { RiskThresholds } from '../risk/risk-level-schema';
import { WhaleActivityItem } from '../rest/whales/whales';
import { WHALE_STATUSES } from '../whales';
import { STREAMS } from './names';

/** Returns the schema of a response with the fields of its change. */
function changed<T extends object, S extends TObject>(dto: DtoClass<T>, change: S) {
  const { properties, required } = responseSchema(dto) as {
    properties: Record<string, Json>;
    required: string[];
  };
  const fields = Object.entries(properties).map(([name, schema]) => {
    const field = Type.Unsafe(schema);
    return [name, required.includes(name) ? field : Type.Optional(field)] as const;
  });
  return Type.Unsafe<T & Static<S>>(Type.Object({ ...Object.fromEntries(fields), ...change.properties }));
}

/** `data` of a positions event: the list form and the change. */
export const StreamPosition = changed(
  PositionListItem,
  Type.Object({
    previousHealthFactor: nullable(
      Type.Number({ minimum: 0 }),
      'Before this change. Null in the first event or without debt.',
    ),
    band: oneOf(BANDS, {
      description:
        'Risk band: riskLevel with hysteresis. It improves only 0.02 above a threshold, so that a price near a threshold causes few notifications.',
    }),
    block: Type.Integer({ minimum: 0, description: 'Block of these figures.' }),
    asOfBlock: Type.Integer({
      minimum: 0,
      deprecated: true,
      description: 'The same as block. Read block: asOfBlock of REST responses is a map by chain.',
    }),
    receiptHash: Type.Optional(
      sha256(
        'Hash of the receipt that proves this change of level: GET /v1/receipts/:hash. Absent when neither level nor band changed.',
      ),
    ),
  }),
);
export type StreamPosition = Static<typeof StreamPosition>;

/** The change of an alert in an alerts event. */
export const STREAM_ALERT_CHANGES = ['created', ...ALERT_CHANGES, 'resolved'] as const;

/** `data` of an alerts event: the REST form and the change. */
export const StreamAlert = changed(
  AlertItem,
  Type.Object({
    change: oneOf(STREAM_ALERT_CHANGES, {
      description:
        'created or resolved. escalated: it became worse. updated: its figures changed or its level became milder.',
    }),
    previousSeverity: Type.Optional(
      oneOf(SEVERITIES, { description: 'Before an escalated or updated event. Absent in others.' }),
    ),
    previousLevel: Type.Optional(
      oneOf<Band>(BANDS, { description: 'Before an escalated or updated event. Absent in others.' }),
    ),
    reason: Type.Optional(
      Type.Literal('retracted', {
        description: 'A reorg replaced the block in which the alert last became worse.',
      }),
    ),
    silenceEnded: Type.Optional(
      oneOf(ALERT_SILENCES, {
        description:
          'A snooze or mute of the alert ended. The alert is as it is now, and its changes since previousSeverity and previousLevel were not sent. Only in updated events.',
      }),
    ),
  }),
);
export type StreamAlert = Static<typeof StreamAlert>;

/** `data` of an alerts event for a group. */
export const StreamAlertGroup = Type.Composite([
  Type.Object({
    change: Type.Literal('group', {
      description: 'One cause changed two or more alerts. One frame has all of them.',
    }),
  }),
  AlertGroup,
]);
export type StreamAlertGroup = Static<typeof StreamAlertGroup>;

/** `data` of a whales event: the activity and whether its block is still part of the chain. */
export const StreamWhale = changed(
  WhaleActivityItem,
  Type.Object({
    status: oneOf(WHALE_STATUSES, {
      description: 'reverted: its block was replaced. It cancels the event with the same id.',
    }),
  }),
);
export type StreamWhale = Static<typeof StreamWhale>;

const id = Type.String({ description: 'The id from the client’s subscribe frame.' });
const cursor = Type.String({
  description:
    'Opaque. A client with this frame has everything before it. When the client sends it as `since` to any instance, it receives the later events.',
});
const frame = <T extends string, P extends Record<string, TSchema>>(
  type: T,
  description: string,
  fields: P,
) => Type.Object({ type: Type.Literal(type), ...fields }, { description });

/** Why missed events could not be sent. */
export const GAP_REASONS = ['window_passed', 'too_much', 'unavailable', 'unknown_cursor'] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** Every frame that the service sends, by its type. */
export const STREAM_SERVER_FRAMES = {
  welcome: frame('welcome', 'The first frame of a connection.', {
    stream: oneOf(STREAMS),
    connectionId: Type.String(),
    heartbeatMs: Type.Integer({ minimum: 1, description: 'Milliseconds between two heartbeats.' }),
    riskThresholds: Type.Optional(RiskThresholds),
  }),
  subscribed: frame('subscribed', 'The subscription is active.', {
    id,
    names: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String({ description: 'The name as it was sent.' }),
          address: shownAddress('The address that it had when the subscription began.'),
        }),
        {
          description:
            'The ENS names in the filter. The subscription stays with their addresses. Absent without names.',
        },
      ),
    ),
  }),
  unsubscribed: frame('unsubscribed', 'The subscription has ended.', { id }),
  snapshot: frame('snapshot', 'The current positions, in several frames when there are many.', {
    id,
    data: Type.Array(StreamPosition),
    last: Type.Boolean({ description: 'True for the last frame of the snapshot.' }),
  }),
  event: frame('event', 'A change, once per connection for any number of matching subscriptions.', {
    conflated: Type.Optional(
      Type.Literal(true, {
        description: 'Older states of this position were skipped, because the client read slowly.',
      }),
    ),
    cursor,
    eventId: Type.String({ description: 'The same for every repetition of the event.' }),
    timestamp: timestamp('When the event was created.'),
    data: Type.Union([StreamPosition, StreamAlert, StreamAlertGroup, StreamWhale]),
  }),
  resumed: frame('resumed', 'The missed events have been sent, or cannot be sent.', {
    id,
    recovered: Type.Boolean({
      description: 'False: this client cannot receive some events. The positions follow as a new snapshot.',
    }),
  }),
  gap: frame('gap', 'Events were not sent and will not be.', { id, reason: oneOf(GAP_REASONS) }),
  heartbeat: frame('heartbeat', 'Sent every heartbeatMs.', {
    count: Type.Integer({ minimum: 1, description: 'Increases by one. A jump means a lost frame.' }),
    cursor,
  }),
  pong: frame('pong', 'Response to a ping frame.', {}),
  error: frame('error', 'The client’s frame was rejected. The connection stays open.', {
    id: Type.Optional(
      Type.String({
        description:
          'The id in the rejected frame. Absent when it had none, or one that is no subscription id.',
      }),
    ),
    code: Type.String({ description: 'A code of the error catalogue.' }),
    message: Type.String({ description: 'The next step, as text.' }),
  }),
  draining: frame('draining', 'This instance stops. A close with 4001 follows.', {
    reconnectAfterMs: Type.Integer({ minimum: 0, description: 'Wait this long before the next connection.' }),
  }),
  closing: frame(
    'closing',
    'Only for Socket.IO, which hides close codes: the connection is about to close.',
    {
      code: Type.Integer({ description: 'Close code of the stream.' }),
      message: Type.String({ description: 'The next step, as text.' }),
    },
  ),
} as const;

type Frames = typeof STREAM_SERVER_FRAMES;
export type StreamServerFrame = { [T in keyof Frames]: Static<Frames[T]> }[keyof Frames];
