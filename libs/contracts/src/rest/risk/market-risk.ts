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
} from '../../risk-levels';
import {
  IntegerField,
  ItemCount,
  NumberField,
  ObjectField,
  TimestampField,
  WordField,
} from '../fields/fields';
import { Example } from '../fields/response-schema';
import { TIMESTAMP } from '../fields/samples';

const COMPONENTS = { volatility: 41.3, liquidationPressure: 28, protocolStability: 91.5 };

const points = (description: string) => NumberField(description, { min: 0, max: 100 });

class IndexFields {
  @IntegerField(
    'The index, a whole number: 0.45 volatility + 0.35 liquidationPressure + 0.20 (100 − protocolStability).',
    { min: 0, max: 100 },
  )
  gri!: number;

  @WordField(RISK_LEVELS, 'Below 25 low, below 50 moderate, below 75 high, else critical.')
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
  @WordField(RISK_TRENDS, 'Change over 24 hours. stable: within 2 points.')
  trend!: RiskTrend;

  @ObjectField(() => RiskComponents) components!: RiskComponents;
  @TimestampField('When it was computed.') updatedAt!: string;
}

class MarketHealthIndicators {
  @WordField(RISK_LEVELS, 'Level of the component.') volatility!: RiskLevel;
  @WordField(RISK_LEVELS, 'Level of liquidationPressure.') liquidationRisk!: RiskLevel;

  @WordField(PROTOCOL_HEALTHS, 'protocolStability: from 75 healthy, from 50 degraded, else critical.')
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
  @WordField(RISK_LEVELS, 'One line of text.') overallRisk!: RiskLevel;
  @IntegerField('The index.', { min: 0, max: 100 }) riskScore!: number;
  @ObjectField(() => MarketHealthIndicators) indicators!: MarketHealthIndicators;
  @TimestampField('When it was computed.') updatedAt!: string;
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
  @TimestampField('Start of the hour.') at!: string;
  @ObjectField(() => RiskComponents) components!: RiskComponents;
}

/** Response of GET /v1/risk/index/history. */
@Example({
  history: [{ at: TIMESTAMP, gri: 30, label: 'moderate', components: COMPONENTS }],
  count: 1,
  days: 7,
})
export class RiskHistory {
  @ObjectField(() => RiskHistoryItem, 'One per hour, newest first. Hours without a measurement are absent.', {
    list: true,
  })
  history!: RiskHistoryItem[];

  @ItemCount() count!: number;
  @IntegerField('As in the request.', { min: 1 }) days!: number;
}
