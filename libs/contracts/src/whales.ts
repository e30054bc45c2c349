/** The action of a wallet. */
export const WHALE_ACTIONS = ['supply', 'withdraw', 'borrow', 'repay', 'liquidation', 'transfer'] as const;
export type WhaleAction = (typeof WHALE_ACTIONS)[number];

/** Whether the block of an activity is part of the chain or orphaned. */
export const WHALE_STATUSES = ['observed', 'reverted'] as const;

/** Block of the oracle price: that of the activity, or the newest where the node keeps no older state. */
export const WHALE_PRICE_BASES = ['block', 'head'] as const;
export type WhalePriceBasis = (typeof WHALE_PRICE_BASES)[number];

/**
 * Why a figure of a move is null. It is sent as text, because later releases may add reasons:
 * - no_debt: the wallet had no debt in this position and therefore no health factor
 * - not_supported: the protocol provides no such figure for this asset
 * - empty_pool: nothing was supplied or borrowed of the asset before the move
 * - no_state: the node keeps no state of the block
 * - out_of_time: the figures could not be read in time, so the move was published without them
 * - unreadable: a contract of the market did not respond as its family does
 * - not_read: the move is below the whale threshold, or an earlier release stored it
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

/** Yearly rates of a reserve before and after a move; 0.05 is 5 %. */
export interface WhaleRateEffect {
  supplyRateBefore: number | null;
  supplyRateAfter: number | null;
  borrowRateBefore: number | null;
  borrowRateAfter: number | null;
}

/**
 * Effect of a move on the pool and the wallet, from the blocks before and of the move. A null figure has its
 * reason beside it.
 */
export interface WhaleEffect {
  shareOfPoolPercent: number | null;
  shareOfPoolReason: string | null;
  healthFactorBefore: number | null;
  healthFactorAfter: number | null;
  healthFactorReason: string | null;
  rateEffect: WhaleRateEffect | null;
  rateEffectReason: string | null;
}

/** Returns the effect of a move for which no figures were read. */
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

/** Owner of an address that is not a whale. Shown for a counterparty. */
export interface AddressLabelText {
  /** deployer, router, exchange, bridge, protocol or fee_collector. Later releases may add kinds. */
  kind: string;
  name: string;
}

/** The evidence between two wallets of a cluster, strongest first. */
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
