import { Type as Convert } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  PROTOCOL_HEALTHS,
  type ProtocolHealth,
  RISK_LEVELS,
  RISK_TRENDS,
  type RiskLevel,
  type RiskTrend,
} from '../../risk/risk-level-schema';
import { Example, Field, TIMESTAMP } from '../fields';

const COMPONENTS = { volatility: 41.3, liquidationPressure: 28, protocolStability: 91.5 };

const points = (description: string) => Field.Number(description, { min: 0, max: 100 });

class IndexFields {
  @Field.Integer(
    'The index, a whole number: 0.45 volatility + 0.35 liquidationPressure + 0.20 (100 − protocolStability).',
    { min: 0, max: 100 },
  )
  gri!: number;

  @Field.Word(RISK_LEVELS, 'Below 25 low, below 50 moderate, below 75 high, else critical.')
  label!: RiskLevel;
}

/** Parts of the index, each 0–100 with one decimal. */
export class RiskComponents {
  @points('From the daily ranges of BTC and ETH: 0 at 25 % a year, 100 at 125 %.') volatility!: number;

  @points('Share of the tracked debt that a fall of 20 % makes liquidatable: 100 at a quarter.')
  liquidationPressure!: number;

  @points('100: no strain. High utilisation, old price feeds, lost pegs and falling deposits lower it.')
  protocolStability!: number;
}

/** Response of GET /v1/risk/index. */
@Example({
  gri: 30,
  label: 'moderate',
  trend: 'stable',
  components: COMPONENTS,
  updatedAt: TIMESTAMP,
})
export class RiskIndex extends IndexFields {
  @Field.Word(RISK_TRENDS, 'Change over 24 hours. stable: within 2 points.')
  trend!: RiskTrend;

  @Field.Object(() => RiskComponents, 'Parts of the index.') components!: RiskComponents;
  @Field.Timestamp('When it was computed.') updatedAt!: string;
}

class MarketHealthIndicators {
  @Field.Word(RISK_LEVELS, 'Level of the component.') volatility!: RiskLevel;
  @Field.Word(RISK_LEVELS, 'Level of liquidationPressure.') liquidationRisk!: RiskLevel;

  @Field.Word(PROTOCOL_HEALTHS, 'protocolStability: from 75 healthy, from 50 degraded, else critical.')
  protocolHealth!: ProtocolHealth;
}

/** Response of GET /v1/risk/market-health, with the same figures as the index. */
@Example({
  overallRisk: 'moderate',
  riskScore: 30,
  indicators: { volatility: 'moderate', liquidationRisk: 'moderate', protocolHealth: 'healthy' },
  updatedAt: TIMESTAMP,
})
export class MarketHealth {
  @Field.Word(RISK_LEVELS, 'One line of text.') overallRisk!: RiskLevel;
  @Field.Integer('The index.', { min: 0, max: 100 }) riskScore!: number;
  @Field.Object(() => MarketHealthIndicators, 'Levels of the parts of the index.')
  indicators!: MarketHealthIndicators;
  @Field.Timestamp('When it was computed.') updatedAt!: string;
}

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
export class RiskHistoryItem extends IndexFields {
  @Field.Timestamp('Start of the hour.') at!: string;
  @Field.Object(() => RiskComponents, 'Parts of the index.') components!: RiskComponents;
}

/** Response of GET /v1/risk/index/history. */
@Example({
  history: [{ at: TIMESTAMP, gri: 30, label: 'moderate', components: COMPONENTS }],
  count: 1,
  days: 7,
})
export class RiskHistory {
  @Field.Object(
    () => RiskHistoryItem,
    'One per hour, newest first. Hours without a measurement are absent.',
    {
      list: true,
    },
  )
  history!: RiskHistoryItem[];

  @Field.ItemCount() count!: number;
  @Field.Integer('As in the request.', { min: 1 }) days!: number;
}
