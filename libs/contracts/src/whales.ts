/** What a wallet did (decisions.md, Values: whale action). */
export const WHALE_ACTIONS = ['supply', 'withdraw', 'borrow', 'repay', 'liquidation', 'transfer'] as const;
export type WhaleAction = (typeof WHALE_ACTIONS)[number];

/** Whether the block of an activity is part of the chain, or was replaced by another. */
export const WHALE_STATUSES = ['observed', 'reverted'] as const;
export type WhaleStatus = (typeof WHALE_STATUSES)[number];

/** At which block the oracle was asked: that of the activity, or the newest where the node keeps no state of it. */
export const WHALE_PRICE_BASES = ['block', 'head'] as const;
export type WhalePriceBasis = (typeof WHALE_PRICE_BASES)[number];

/**
 * Why a figure of a move is null. Sent as text, since later releases may know further ones:
 * - no_debt: the wallet owed nothing in this position, so that it had no health factor
 * - not_supported: the protocol gives no such figure of this asset
 * - empty_pool: nothing was supplied or borrowed of the asset before the move
 * - no_state: the node keeps no state of the block
 * - out_of_time: the figures could not be read in time, and the move was published without them
 * - unreadable: a contract of the market did not answer as its family does
 * - not_read: the move is below the whale threshold, or was stored by an earlier release
 */
export const WHALE_EFFECT_REASONS = [
  'no_debt',
  'not_supported',
  'empty_pool',
  'no_state',
  'out_of_time',
  'unreadable',
  'not_read',
] as const;
export type WhaleEffectReason = (typeof WHALE_EFFECT_REASONS)[number];

/** Rates of a reserve around a move; shares a year, 0.05 being 5 %. */
export interface WhaleRateEffect {
  supplyRateBefore: number | null;
  supplyRateAfter: number | null;
  borrowRateBefore: number | null;
  borrowRateAfter: number | null;
}

/** What a move meant for the pool and the wallet: figures of the blocks before and of the move, null with the reason beside. */
export interface WhaleEffect {
  shareOfPoolPercent: number | null;
  shareOfPoolReason: string | null;
  healthFactorBefore: number | null;
  healthFactorAfter: number | null;
  healthFactorReason: string | null;
  rateEffect: WhaleRateEffect | null;
  rateEffectReason: string | null;
}

/** The effect of a move of which nothing was read. */
export function unreadEffect(reason: WhaleEffectReason): WhaleEffect {
  return {
    shareOfPoolPercent: null,
    shareOfPoolReason: reason,
    healthFactorBefore: null,
    healthFactorAfter: null,
    healthFactorReason: reason,
    rateEffect: null,
    rateEffectReason: reason,
  };
}

/** Who is behind an address that is no whale; shown of a counterparty. */
export interface AddressLabelText {
  /** deployer, router, exchange, bridge, protocol or fee_collector; later releases may know further ones. */
  kind: string;
  name: string;
}

/** What two wallets of a cluster have in common, strongest first. */
export const CLUSTER_EVIDENCE = [
  'owner',
  'position_transfer',
  'delegate',
  'acting_for',
  'first_funder',
  'mutual_transfers',
  'same_block',
  'synchronous',
] as const;
export type ClusterEvidence = (typeof CLUSTER_EVIDENCE)[number];
