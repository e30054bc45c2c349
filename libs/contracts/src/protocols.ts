/** State of a chain. It is degraded when its head is old or a protocol row fails. */
export const CHAIN_STATUSES = ['operational', 'degraded', 'down'] as const;
export type ChainStatus = (typeof CHAIN_STATUSES)[number];

/** The same states, and the state of chains without a configured node. */
export const SHOWN_CHAIN_STATUSES = [...CHAIN_STATUSES, 'unconfigured'] as const;

/** The business of a protocol. */
export const PROTOCOL_CATEGORIES = ['lending', 'isolated_lending', 'cdp', 'margin'] as const;
export type ProtocolCategory = (typeof PROTOCOL_CATEGORIES)[number];

/** Our classification by age, audits and incidents. See docs/model.md. */
export const RISK_TIERS = ['low', 'medium', 'high'] as const;
/** Values in responses: unknown where the platform reads nothing of the protocol. */
export const SHOWN_RISK_TIERS = [...RISK_TIERS, 'unknown'] as const;
export type ShownRiskTier = (typeof SHOWN_RISK_TIERS)[number];

/** TVL ranges in USD. */
export const TVL_BRACKETS = ['under_10m', '10m_100m', '100m_1b', '1b_10b', 'over_10b'] as const;
export type TvlBracket = (typeof TVL_BRACKETS)[number];
/** Values in responses: unknown where no source states a value. */
export const SHOWN_TVL_BRACKETS = [...TVL_BRACKETS, 'unknown'] as const;

/**
 * Where a health factor comes from (docs/decisions/0053-verified-figures.md).
 * - contract: the contract stated it, or the values that it compares when it decides about a liquidation
 * - recomputed: we computed it with the contract's arithmetic, from values that the contract returned
 * - approximate: it rests on an approximation, which docs/coverage.md names
 */
export const VERIFICATIONS = ['contract', 'recomputed', 'approximate'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** The kinds of contracts that hold positions for a wallet (libs/protocols/src/proxies). */
export const PROXY_KINDS = ['ds-proxy', 'instadapp', 'summer'] as const;
export type ProxyKind = (typeof PROXY_KINDS)[number];
