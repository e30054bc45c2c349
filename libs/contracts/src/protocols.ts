/** What a protocol does (decisions.md, Values: category). */
export const PROTOCOL_CATEGORIES = ['lending', 'isolated_lending', 'cdp', 'margin'] as const;
export type ProtocolCategory = (typeof PROTOCOL_CATEGORIES)[number];

/** Our classification by age, audits and incidents (risk-model.md, Scores). */
export const RISK_TIERS = ['low', 'medium', 'high'] as const;
/** As shown: unknown where nothing of the protocol is read here. */
export const SHOWN_RISK_TIERS = [...RISK_TIERS, 'unknown'] as const;
export type ShownRiskTier = (typeof SHOWN_RISK_TIERS)[number];

/** decisions.md, Values: tvlBracket; USD. */
export const TVL_BRACKETS = ['under_10m', '10m_100m', '100m_1b', '1b_10b', 'over_10b'] as const;
export type TvlBracket = (typeof TVL_BRACKETS)[number];
/** As shown: unknown where no source states a value. */
export const SHOWN_TVL_BRACKETS = [...TVL_BRACKETS, 'unknown'] as const;
