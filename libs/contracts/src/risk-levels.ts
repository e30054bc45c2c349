/** Levels of every 0–100 risk figure (decisions.md, Values: overallRisk, label): below 25, 50, 75, and above. */
export const RISK_LEVELS = ['low', 'moderate', 'high', 'critical'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** decisions.md, Values: indicators.protocolHealth. */
export const PROTOCOL_HEALTHS = ['healthy', 'degraded', 'critical'] as const;
export type ProtocolHealth = (typeof PROTOCOL_HEALTHS)[number];

/** Change of the index over 24 hours, beyond 2 points either way (decisions.md, Values: trend). */
export const RISK_TRENDS = ['rising', 'stable', 'falling'] as const;
export type RiskTrend = (typeof RISK_TRENDS)[number];
