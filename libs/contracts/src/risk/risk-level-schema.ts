import { type Static, Type } from '@sinclair/typebox';
import { BANDS } from './bands';
import { RISK_LEVEL_BASES } from './levels';
import { oneOf } from '../schema-fields';

/** Levels of every 0–100 risk figure: below 25, 50, 75, and above. */
export const RISK_LEVELS = ['low', 'moderate', 'high', 'critical'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** Values of indicators.protocolHealth. */
export const PROTOCOL_HEALTHS = ['healthy', 'degraded', 'critical'] as const;
export type ProtocolHealth = (typeof PROTOCOL_HEALTHS)[number];

/** Change of the index over 24 hours, by more than 2 points. */
export const RISK_TRENDS = ['rising', 'stable', 'falling'] as const;
export type RiskTrend = (typeof RISK_TRENDS)[number];

const upTo = (level: string) =>
  Type.Number({ description: `A health factor below it is ${level} or worse.` });
const from = (level: string) =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: `A probability of at least this is ${level} or worse.`,
  });

/** The table behind every level, once in each response. */
export const RiskThresholds = Type.Object(
  {
    healthFactor: Type.Object(
      {
        liquidatable: upTo('liquidatable'),
        critical: upTo('critical'),
        high: upTo('high'),
        moderate: upTo('moderate'),
      },
      { description: 'Upper bounds of the health factor by level.' },
    ),
    probability7d: Type.Object(
      { critical: from('critical'), high: from('high'), moderate: from('moderate') },
      { description: 'Lower bounds of the probability of liquidation within 7 days by level.' },
    ),
  },
  {
    description:
      'Thresholds of riskLevel. probability7d decides when collateral and debt move together and the health factor is at least 1.',
    examples: [
      {
        healthFactor: { liquidatable: 1, critical: 1.1, high: 1.25, moderate: 1.5 },
        probability7d: { critical: 0.35, high: 0.1, moderate: 0.02 },
      },
    ],
  },
);
export type RiskThresholds = Static<typeof RiskThresholds>;

/** The level of the figure beside it, with its reason. */
export const riskLevelFields = {
  riskLevel: oneOf(BANDS, {
    description:
      'Level of the figures in this object, from safest to worst, without hysteresis. none: without debt.',
  }),
  riskLevelBasis: oneOf(RISK_LEVEL_BASES, {
    description:
      'The figure that decides the level. probability_7d: collateral and debt move together, and the probability of liquidation within 7 days decides.',
  }),
  riskLevelReason: Type.String({
    description: 'The figure and the thresholds that decide the level, as a sentence.',
    examples: ['Health factor 1.18 is between 1.10 and 1.25.'],
  }),
};
