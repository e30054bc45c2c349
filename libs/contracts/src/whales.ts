/** What a wallet did (decisions.md, Values: whale action). */
export const WHALE_ACTIONS = ['supply', 'withdraw', 'borrow', 'repay', 'liquidation', 'transfer'] as const;
export type WhaleAction = (typeof WHALE_ACTIONS)[number];

/** Whether the block of an activity is part of the chain, or was replaced by another. */
export const WHALE_STATUSES = ['observed', 'reverted'] as const;
export type WhaleStatus = (typeof WHALE_STATUSES)[number];

/** At which block the oracle was asked: that of the activity, or the newest where the node keeps no state of it. */
export const WHALE_PRICE_BASES = ['block', 'head'] as const;
export type WhalePriceBasis = (typeof WHALE_PRICE_BASES)[number];

/** What two wallets of a cluster have in common, strongest first. */
export const CLUSTER_EVIDENCE = [
  'owner',
  'position_transfer',
  'delegate',
  'acting_for',
  'first_funder',
  'mutual_transfers',
  'same_block',
] as const;
export type ClusterEvidence = (typeof CLUSTER_EVIDENCE)[number];
