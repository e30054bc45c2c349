import { type Static, Type } from '@sinclair/typebox';
import { SEVERITIES } from '../alerts';
import { WALLET_PATTERN } from '../rest/fields/names';
import { oneOf } from '../schema-fields';

const strict = { additionalProperties: false };
const text = (description: string) => Type.String({ minLength: 1, maxLength: 128, description });
const subscriptionId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Chosen by the client. It is unique within a connection.',
});

/** Filter of a subscription. An absent field does not restrict it. */
export const StreamFilter = Type.Object(
  {
    wallets: Type.Optional(
      Type.Array(Type.String({ pattern: WALLET_PATTERN }), {
        minItems: 1,
        description:
          'Only these wallets. Positions and alerts only come from watched wallets. An ENS name means the address that it has when the subscription begins.',
      }),
    ),
    positionIds: Type.Optional(Type.Array(text('Position id.'), { minItems: 1 })),
    protocols: Type.Optional(Type.Array(text('Protocol id.'), { minItems: 1 })),
    chainIds: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1 })),
    maxHealthFactor: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'Highest health factor. Positions without debt have none.',
      }),
    ),
    minSeverity: Type.Optional(oneOf(SEVERITIES, { description: 'Alerts only.' })),
    minUsd: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'Lowest collateral, or for whales lowest value of a move, USD.',
      }),
    ),
  },
  { ...strict, description: 'An event must match every field that is present.' },
);
export type StreamFilter = Static<typeof StreamFilter>;

export const SubscribeFrame = Type.Object(
  {
    type: Type.Literal('subscribe'),
    id: subscriptionId,
    filter: Type.Optional(StreamFilter),
    since: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8_192,
        description: 'A cursor of this stream from any instance. Later events are sent first.',
      }),
    ),
  },
  strict,
);
export const UnsubscribeFrame = Type.Object(
  { type: Type.Literal('unsubscribe'), id: subscriptionId },
  strict,
);
export const PingFrame = Type.Object({ type: Type.Literal('ping') }, strict);

/** Every frame that a client may send, by its type. */
export const STREAM_CLIENT_FRAMES = {
  subscribe: SubscribeFrame,
  unsubscribe: UnsubscribeFrame,
  ping: PingFrame,
} as const;
export type StreamClientFrame =
  Static<typeof SubscribeFrame> | Static<typeof UnsubscribeFrame> | Static<typeof PingFrame>;
