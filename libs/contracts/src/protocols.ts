/** What a protocol does (decisions.md, Values: category). */
export const PROTOCOL_CATEGORIES = ['lending', 'isolated_lending', 'cdp', 'margin'] as const;
export type ProtocolCategory = (typeof PROTOCOL_CATEGORIES)[number];

/** Our classification by age, audits and incidents (risk-model.md, Scores). */
export const RISK_TIERS = ['low', 'medium', 'high'] as const;

/** decisions.md, Values: tvlBracket; USD. */
export const TVL_BRACKETS = ['under_10m', '10m_100m', '100m_1b', '1b_10b', 'over_10b'] as const;
export type TvlBracket = (typeof TVL_BRACKETS)[number];
