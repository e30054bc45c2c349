import { Type, type Static } from '@sinclair/typebox';
import { POSITION_FLAGS } from '../position-flags';
import { defineEvent } from './define-event';
import { Address, BandName, Hash, Nullable, RecordId, Timestamp, Wei, oneOf } from './fields';

/** One asset of a position at the event's block. */
const PositionLeg = Type.Object({
  /** Symbol as the registry spells it. */
  asset: Type.String({ minLength: 1 }),
  address: Address,
  side: oneOf(['collateral', 'debt'] as const),
  /** Token units at the block, interest included. */
  amountRaw: Wei,
  /** The principal that interest does not move (scaled balance); a change of it is a user's act. */
  scaledRaw: Wei,
  decimals: Type.Integer({ minimum: 0, maximum: 36 }),
  /** The protocol's own oracle price, with priceDecimals of the market's base currency, which need not be dollars. */
  priceRaw: Wei,
  priceDecimals: Type.Integer({ minimum: 0, maximum: 36 }),
  /** Contract the price comes from. */
  oracle: Address,
  /** Basis points; 0 on the debt side. */
  liquidationThresholdBps: Type.Integer({ minimum: 0 }),
  /** False: supplied but not counted as collateral. Always false on the debt side. */
  usedAsCollateral: Type.Boolean(),
  amount: Type.Number(),
  usdValue: Type.Number(),
  /** priceRaw in dollars; absent in events of versions that did not say it. */
  priceUsd: Type.Optional(Type.Number()),
  /** What a supply earns per year at the block, 0.05 being 5 %; absent where it is not read, and on the debt side. */
  supplyRate: Type.Optional(Type.Number()),
  /** What a debt costs per year at the block; absent where it is not read, and on the collateral side. */
  borrowRate: Type.Optional(Type.Number()),
});

/**
 * Full state of a position after a change worth telling (contracts.md, Events). No account in it: who watches a
 * wallet comes from wallet.v1.
 */
const PositionV1Schema = Type.Object({
  id: RecordId('pos'),
  protocol: Type.String({ minLength: 1 }),
  chainId: Type.Integer({ minimum: 1 }),
  market: Type.String({ minLength: 1 }),
  subId: Type.String(),
  wallet: Address,
  /** Counts this position's events from 1; a consumer ignores one that is not above the last it saw. */
  sequence: Type.Integer({ minimum: 1 }),
  legs: Type.Array(PositionLeg),
  /** Wad (18 decimals), null without debt. */
  healthFactorRaw: Nullable(Wei),
  healthFactor: Nullable(Type.Number()),
  /** As of the event before this one; null at first sight or without debt. */
  previousHealthFactor: Nullable(Type.Number()),
  /** In the protocol's base currency with baseDecimals. */
  totalCollateralRaw: Wei,
  totalDebtRaw: Wei,
  baseDecimals: Type.Integer({ minimum: 0, maximum: 36 }),
  /**
   * Dollars (wad) that one unit of the base currency is worth at the block: 1e18 where the market counts in dollars. 0: no
   * oracle of the chain prices it, so that the figures in dollars are 0 too. Absent in events of versions that did not say it.
   */
  usdPerBaseRaw: Type.Optional(Wei),
  totalCollateralUsd: Type.Number(),
  totalDebtUsd: Type.Number(),
  /** Absent in events of versions that did not say it. */
  flags: Type.Optional(Type.Array(oneOf(POSITION_FLAGS))),
  /** With hysteresis; computed by positions alone. */
  band: BandName,
  previousBand: Nullable(BandName),
  /** Level of the health factor, without hysteresis; absent in events of earlier releases. */
  level: Type.Optional(BandName),
  /**
   * Lowest block number that a reorg removed after the previous event of this position; absent where none did, and in events
   * of earlier releases.
   */
  orphanedFrom: Type.Optional(Type.Integer({ minimum: 0 })),
  block: Type.Integer({ minimum: 0 }),
  blockHash: Hash,
  blockTime: Timestamp,
  reason: oneOf(['discovered', 'principal', 'parameter', 'band', 'health_factor', 'closed'] as const),
  /** What webhooks want: principal, band, or 1 % in health factor since the last material one. */
  material: Type.Boolean(),
  /** True when nothing is left in it; the last event of a position unless it is opened again. */
  closed: Type.Boolean(),
});

export type PositionV1 = Static<typeof PositionV1Schema>;
export type PositionLegV1 = Static<typeof PositionLeg>;

export const positionV1 = defineEvent({
  topic: 'position.v1',
  schema: PositionV1Schema,
  compacted: true,
  keyOf: (value) => value.id,
});
