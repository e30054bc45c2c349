import { type Static, Type } from '@sinclair/typebox';
import { Type as Convert } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { PROTOCOL_HEALTHS, RISK_LEVELS, RISK_TRENDS } from '../risk-levels';
import { itemCount, oneOf, timestamp } from './fields';

const points = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });
const index = {
  gri: Type.Integer({
    minimum: 0,
    maximum: 100,
    description:
      'The index, a whole number: 0.45 volatility + 0.35 liquidationPressure + 0.20 (100 − protocolStability).',
  }),
  label: oneOf(RISK_LEVELS, {
    description: 'Below 25 low, below 50 moderate, below 75 high, else critical.',
  }),
};

/** Parts of the index, each 0–100 with one decimal. */
export const RiskComponents = Type.Object({
  volatility: points('From the daily ranges of BTC and ETH: 0 at 25 % a year, 100 at 125 %.'),
  liquidationPressure: points(
    'Share of the tracked debt that a fall of 20 % makes liquidatable: 100 at a quarter.',
  ),
  protocolStability: points(
    '100: no strain. High utilisation, old price feeds, lost pegs and falling deposits lower it.',
  ),
});
export type RiskComponents = Static<typeof RiskComponents>;

/** Response of GET /v1/risk/index. */
export const RiskIndex = Type.Object({
  ...index,
  trend: oneOf(RISK_TRENDS, { description: 'Change over 24 hours. stable: within 2 points.' }),
  components: RiskComponents,
  updatedAt: timestamp('When it was computed.'),
});
export type RiskIndex = Static<typeof RiskIndex>;

/** Response of GET /v1/risk/market-health, with the same figures as the index. */
export const MarketHealth = Type.Object({
  overallRisk: oneOf(RISK_LEVELS, { description: 'One line of text.' }),
  riskScore: Type.Integer({ minimum: 0, maximum: 100, description: 'The index.' }),
  indicators: Type.Object({
    volatility: oneOf(RISK_LEVELS, { description: 'Level of the component.' }),
    liquidationRisk: oneOf(RISK_LEVELS, { description: 'Level of liquidationPressure.' }),
    protocolHealth: oneOf(PROTOCOL_HEALTHS, {
      description: 'protocolStability: from 75 healthy, from 50 degraded, else critical.',
    }),
  }),
  updatedAt: timestamp('When it was computed.'),
});
export type MarketHealth = Static<typeof MarketHealth>;

/** Query of GET /v1/risk/index/history. */
export class RiskHistoryQuery {
  @JSONSchema({ description: 'Days back from now.' })
  @Convert(() => Number)
  @IsInt()
  @Min(1)
  @Max(90)
  days: number = 7;
}

/** The index at the end of an hour. */
export const RiskHistoryItem = Type.Object({
  at: timestamp('Start of the hour.'),
  ...index,
  components: RiskComponents,
});
export type RiskHistoryItem = Static<typeof RiskHistoryItem>;

/** Response of GET /v1/risk/index/history. */
export const RiskHistory = Type.Object({
  history: Type.Array(RiskHistoryItem, {
    description: 'One per hour, newest first. Hours without a measurement are absent.',
  }),
  count: itemCount,
  days: Type.Integer({ minimum: 1, description: 'As in the request.' }),
});
export type RiskHistory = Static<typeof RiskHistory>;
