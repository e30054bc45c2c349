import { Type, type Static } from '@sinclair/typebox';
import { defineEvent } from './define-event';
import { Address, Hash, Timestamp } from './fields';

const DAY_MS = 86_400_000;

/** Most prices in one event. */
export const MOST_ORACLE_PRICES = 2_000;

/** The price of one token by one oracle. */
const OraclePrice = Type.Object({
  /** Symbol from the registry. */
  asset: Type.String({ minLength: 1 }),
  token: Address,
  /** Contract that provides the price. */
  oracle: Address,
  priceUsd: Type.Number({ minimum: 0 }),
});

/**
 * The prices that the oracles of a market stated at a block, for tokens of tracked positions. Published at least once
 * every heartbeatMs while the market can be read. Several instances publish the tokens of their own wallets.
 */
const OraclePriceV1Schema = Type.Object({
  protocol: Type.String({ minLength: 1 }),
  chainId: Type.Integer({ minimum: 1 }),
  market: Type.String({ minLength: 1 }),
  /**
   * Without a token that the protocol counts at a fixed dollar, and without the unit in which the market states its
   * prices, because no oracle prices them.
   */
  prices: Type.Array(OraclePrice, { maxItems: MOST_ORACLE_PRICES }),
  block: Type.Integer({ minimum: 0 }),
  blockHash: Hash,
  blockTime: Timestamp,
  publishedAt: Timestamp,
  /** The longest time without an event of a market that can be read, in milliseconds. */
  heartbeatMs: Type.Integer({ minimum: 1 }),
});

export type OraclePriceV1 = Static<typeof OraclePriceV1Schema>;

export const oraclePriceV1 = defineEvent({
  topic: 'oracle-price.v1',
  schema: OraclePriceV1Schema,
  // Several instances publish the tokens of their own wallets under one key, and compaction would keep one of them.
  compacted: false,
  retentionMs: DAY_MS,
  keyOf: ({ chainId, protocol, market }) => `${chainId}|${protocol}|${market}`,
});
