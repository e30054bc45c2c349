/** State of a chain. It is degraded when its head is old or a protocol row fails. */
export const CHAIN_STATUSES = ['operational', 'degraded', 'down'] as const;
export type ChainStatus = (typeof CHAIN_STATUSES)[number];

/** The same states, and the state of chains without a configured node. */
export const SHOWN_CHAIN_STATUSES = [...CHAIN_STATUSES, 'unconfigured'] as const;
