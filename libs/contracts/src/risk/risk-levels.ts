/** Levels of every 0–100 risk figure: below 25, 50, 75, and above. */
export const RISK_LEVELS = ['low', 'moderate', 'high', 'critical'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** Values of indicators.protocolHealth. */
export const PROTOCOL_HEALTHS = ['healthy', 'degraded', 'critical'] as const;
export type ProtocolHealth = (typeof PROTOCOL_HEALTHS)[number];

/** Change of the index over 24 hours, by more than 2 points. */
export const RISK_TRENDS = ['rising', 'stable', 'falling'] as const;
export type RiskTrend = (typeof RISK_TRENDS)[number];
