import { Type, type Static } from '@sinclair/typebox';
import { PROXY_KINDS, VERIFICATIONS } from '../protocols';
import { POSITION_FLAGS } from '../risk/levels';
import { defineEvent } from './define-event';
import { Address, BandName, Hash, Nullable, RecordId, Sha256, Timestamp, Wei, oneOf } from './fields';

/** One asset of a position at the event's block. */
const PositionLeg = Type.Object({
  /** Symbol from the registry. */
  asset: Type.String({ minLength: 1 }),
  address: Address,
  side: oneOf(['collateral', 'debt'] as const),
  /** Token units at the block, including interest. */
  amountRaw: Wei,
  /** The principal, which interest does not change (scaled balance). It changes only when a user acts. */
  scaledRaw: Wei,
  decimals: Type.Integer({ minimum: 0, maximum: 36 }),
  /** The protocol's oracle price with priceDecimals of the market's base currency, which need not be USD. */
  priceRaw: Wei,
  priceDecimals: Type.Integer({ minimum: 0, maximum: 36 }),
  /** Contract that provides the price. */
  oracle: Address,
  /** Basis points; 0 on the debt side. */
  liquidationThresholdBps: Type.Integer({ minimum: 0 }),
  /** False: supplied, but not collateral. Always false on the debt side. */
  usedAsCollateral: Type.Boolean(),
  amount: Type.Number(),
  usdValue: Type.Number(),
  /** priceRaw in USD. Absent in events of earlier releases. */
  priceUsd: Type.Optional(Type.Number()),
  /**
   * Market price in USD by the chain's dollar oracles, where the protocol counts the token at a fixed dollar. The
   * totals in USD then use it; usdValue and priceUsd do not. Absent otherwise, and in events of earlier releases.
   */
  marketPriceUsd: Type.Optional(Type.Number()),
  /** The same price with 18 decimals. */
  marketPriceRaw: Type.Optional(Wei),
  /**
   * Yearly rate that a supply earns at the block; 0.05 is 5 %. Absent where it is not read, and on the debt
   * side.
   */
  supplyRate: Type.Optional(Type.Number()),
  /** Yearly rate that a debt costs at the block. Absent where it is not read, and on the collateral side. */
  borrowRate: Type.Optional(Type.Number()),
});

/**
 * Full state of a position after a significant change. It contains no account. wallet.v1 states which
 * accounts watch a wallet.
 */
const PositionV1Schema = Type.Object({
  id: RecordId('pos'),
  protocol: Type.String({ minLength: 1 }),
  chainId: Type.Integer({ minimum: 1 }),
  market: Type.String({ minLength: 1 }),
  subId: Type.String(),
  wallet: Address,
  /**
   * The contract that holds the position for the wallet. Absent if the wallet holds it itself, when the position is
   * closed, and in events of earlier releases.
   */
  proxy: Type.Optional(Type.Object({ kind: oneOf(PROXY_KINDS), address: Address })),
  /** Counts this position's events from 1. A consumer ignores a value that is not above the last one. */
  sequence: Type.Integer({ minimum: 1 }),
  legs: Type.Array(PositionLeg),
  /** Wad (18 decimals). Null without debt, and where the contract never liquidates the debt. */
  healthFactorRaw: Nullable(Wei),
  healthFactor: Nullable(Type.Number()),
  /**
   * Where the health factor comes from. Absent when the position is closed, and in events of earlier releases. It
   * changes only together with another field.
   */
  verification: Type.Optional(oneOf(VERIFICATIONS)),
  /** From the previous event. Null in the first event or without debt. */
  previousHealthFactor: Nullable(Type.Number()),
  /** In the protocol's base currency with baseDecimals. */
  totalCollateralRaw: Wei,
  totalDebtRaw: Wei,
  baseDecimals: Type.Integer({ minimum: 0, maximum: 36 }),
  /**
   * USD value (wad) of one unit of the base currency at the block: 1e18 where the market uses USD. 0 when no
   * oracle of the chain prices it; the USD figures are then also 0. Absent in events of earlier releases.
   */
  usdPerBaseRaw: Type.Optional(Wei),
  totalCollateralUsd: Type.Number(),
  totalDebtUsd: Type.Number(),
  /** Collateral and other supplied assets. Absent in events of earlier releases. */
  totalSuppliedUsd: Type.Optional(Type.Number()),
  /** Absent in events of earlier releases. */
  flags: Type.Optional(Type.Array(oneOf(POSITION_FLAGS))),
  /** With hysteresis. Only the positions service computes it. */
  band: BandName,
  previousBand: Nullable(BandName),
  /**
   * The level of these figures, without hysteresis. Absent in events of earlier releases. `levelOfEvent`
   * reads both forms.
   */
  level: Type.Optional(BandName),
  /** From the previous event. Null in the first event. Absent in events of earlier releases. */
  previousLevel: Type.Optional(Nullable(BandName)),
  /**
   * Probability of liquidation within 7 days if it decides the level. Null where the health factor decides or
   * there is no debt. Absent in events of earlier releases.
   */
  probability7d: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1 }))),
  /**
   * Lowest block number that a reorg removed after the previous event of this position. Absent without a
   * reorg, and in events of earlier releases.
   */
  orphanedFrom: Type.Optional(Type.Integer({ minimum: 0 })),
  block: Type.Integer({ minimum: 0 }),
  blockHash: Hash,
  blockTime: Timestamp,
  reason: oneOf(['discovered', 'principal', 'parameter', 'band', 'health_factor', 'closed'] as const),
  /**
   * True when a webhook is due: a change of principal or band, or 1 % in health factor since the last
   * material event.
   */
  material: Type.Boolean(),
  /** True when the position is empty. It is the last event unless the position opens again. */
  closed: Type.Boolean(),
  /**
   * Hash of the receipt of the last change of the band or across a health factor of 1, which may be that of an earlier event.
   * Absent when that change has no receipt, and in events of earlier releases.
   */
  receiptHash: Type.Optional(Sha256),
  /** `sequence` of the event whose change the receipt states. Absent without receiptHash. */
  receiptSequence: Type.Optional(Type.Integer({ minimum: 1 })),
});

export type PositionV1 = Static<typeof PositionV1Schema>;
export type PositionLegV1 = Static<typeof PositionLeg>;

/** Returns the hash of the receipt of this very change. Null: it has none. */
export function ownReceiptHash({
  sequence,
  receiptHash,
  receiptSequence,
}: Pick<PositionV1, 'sequence' | 'receiptHash' | 'receiptSequence'>): string | null {
  return receiptHash !== undefined && receiptSequence === sequence ? receiptHash : null;
}

export const positionV1 = defineEvent({
  topic: 'position.v1',
  schema: PositionV1Schema,
  compacted: true,
  keyOf: (value) => value.id,
});
