/** State of a chain: degraded when its head is old or a protocol row fails (decisions.md, Values: chain status). */
export const CHAIN_STATUSES = ['operational', 'degraded', 'down'] as const;
export type ChainStatus = (typeof CHAIN_STATUSES)[number];

/** The same, with the chains that have no node here. */
export const SHOWN_CHAIN_STATUSES = [...CHAIN_STATUSES, 'unconfigured'] as const;
