import { Type, type Static } from '@sinclair/typebox';
import { PARAMETERS } from '../alert-content';
import { defineEvent } from './define-event';
import { Address, Hash, Nullable, RecordId, Timestamp, oneOf } from './fields';

const DAY_MS = 86_400_000;

/** Most changes and most effects in one event. */
export const MOST_PARAMETER_CHANGES = 200;
export const MOST_PARAMETER_EFFECTS = 1_000;

/** How an announcement ended. */
export const PARAMETER_CHANGE_ENDS = ['executed', 'cancelled', 'expired'] as const;
export type ParameterChangeEnd = (typeof PARAMETER_CHANGE_ENDS)[number];

/** The changes of an announcement for one asset. */
const ParameterChange = Type.Object({
  /** Unique in the market. */
  id: Type.String({ minLength: 1 }),
  /** Changes of one announcement share it. */
  proposalId: Type.String({ minLength: 1 }),
  /** The contract that announces it: a timelock, a controller of payloads, or the market itself. */
  source: Address,
  /** Symbol of the token, or the name of a category of tokens. */
  asset: Type.String({ minLength: 1 }),
  /** Null for a category. */
  token: Nullable(Address),
  /** Shares are decimals (0.8 is 80 %), caps are raw units of the token, and an oracle is an address. */
  values: Type.Array(Type.Object({ parameter: oneOf(PARAMETERS), from: Type.String(), to: Type.String() }), {
    minItems: 1,
  }),
  /** The earliest time of the change, or the time at which a gradual one is complete. */
  earliestAt: Timestamp,
  /** Null: it needs no further transaction. */
  expiresAt: Nullable(Timestamp),
  /** Whether the value already moves with each block. */
  isGradual: Type.Boolean(),
});

/**
 * The changes that governance of a market announced, as of a block, and their effects on tracked positions. Published
 * at least once every heartbeatMs while the market can be read. Several instances publish the effects on their own
 * wallets, and one publishes several events when it has more effects than one event holds.
 */
const ParameterChangeV1Schema = Type.Object({
  protocol: Type.String({ minLength: 1 }),
  chainId: Type.Integer({ minimum: 1 }),
  market: Type.String({ minLength: 1 }),
  changes: Type.Array(ParameterChange, { maxItems: MOST_PARAMETER_CHANGES }),
  /** Announcements that ended within the last days. */
  ended: Type.Array(
    Type.Object({ proposalId: Type.String({ minLength: 1 }), end: oneOf(PARAMETER_CHANGE_ENDS) }),
  ),
  effects: Type.Array(
    Type.Object({
      changeId: Type.String({ minLength: 1 }),
      positionId: RecordId('pos'),
      healthFactor: Type.Number({ minimum: 0 }),
      /** After the whole announcement, at the prices of the block. Null: it cannot be computed. */
      healthFactorAfter: Nullable(Type.Number({ minimum: 0 })),
    }),
    { maxItems: MOST_PARAMETER_EFFECTS },
  ),
  block: Type.Integer({ minimum: 0 }),
  blockHash: Hash,
  blockTime: Timestamp,
  publishedAt: Timestamp,
  /** The longest time without an event of a market that can be read, in milliseconds. */
  heartbeatMs: Type.Integer({ minimum: 1 }),
});

export type ParameterChangeV1 = Static<typeof ParameterChangeV1Schema>;

export const parameterChangeV1 = defineEvent({
  topic: 'parameter-change.v1',
  schema: ParameterChangeV1Schema,
  // Several instances publish the effects on their own wallets under one key, and compaction would keep one of them.
  compacted: false,
  retentionMs: DAY_MS,
  keyOf: ({ chainId, protocol, market }) => `${chainId}|${protocol}|${market}`,
});
