import { type Static, Type } from '@sinclair/typebox';
import { IsIn, IsInt, IsNotEmpty, IsNumber, IsString, Max, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { DELEVERAGE_STRATEGIES, type DeleverageStrategy } from '../automation';
import { BANDS } from '../bands';
import { RISK_LEVELS } from '../risk-levels';
import { IsDrift, type Drift } from './drift';
import { nullable, oneOf, usd } from './fields';
import { Optional } from './optional';
import { MaybeHistoryBasis, ModelBasis, PositionBasis } from './risk-basis';

/** Body of POST /v1/positions/:id/forecast. */
export class ForecastBody {
  @Optional()
  @IsDrift()
  drift?: Drift;
}

/** Body of POST /v1/positions/:id/deleverage. */
export class DeleverageBody {
  @JSONSchema({ description: 'Health factor to reach: above 1, at most 10.', exclusiveMinimum: 1 })
  @IsNumber()
  @Max(10)
  targetHealthFactor!: number;

  @JSONSchema({ description: 'repay_debt unless given: from outside, without selling.' })
  @Optional()
  @IsIn(DELEVERAGE_STRATEGIES)
  strategy?: DeleverageStrategy;

  @JSONSchema({
    description: 'Symbol of the collateral to sell. Absent: the one of which the least must be sold.',
  })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(32)
  asset?: string;

  @JSONSchema({ description: 'Slippage that the sale is reckoned with, basis points.' })
  @IsInt()
  @Min(0)
  @Max(1_000)
  maxSlippageBps: number = 50;
}

/** Why a forecast has no carryDays. */
export const CARRY_REASONS = ['no_debt', 'liquidatable', 'carry_not_negative', 'rate_unknown'] as const;
export type CarryReason = (typeof CARRY_REASONS)[number];

const quantileDays = (share: string) =>
  nullable(Type.Integer({ minimum: 0 }), `Day by which ${share} of the paths are below 1.`);

/** Response of POST /v1/positions/:id/forecast. */
export const ForecastAnswer = Type.Composite([
  PositionBasis,
  Type.Object({
    liquidationPrice: Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 }), {
      description:
        'Price at which the position is liquidated while all others stand still, by asset: for collateral the price it falls to, for debt the one it rises to. An asset that cannot do it alone is left out. USD.',
    }),
    distancePercent: nullable(
      Type.Number(),
      'Uniform fall of all collateral that liquidates, percent; negative when it can be liquidated already, null without debt.',
    ),
    volatileDistancePercent: nullable(
      Type.Number(),
      'The same with stable collateral held; above 100 when that covers the debt, null without debt or volatile collateral.',
    ),
    daysToLiquidation: nullable(
      Type.Number({ minimum: 0 }),
      'Median time to liquidation if nobody acts, whole days: firstPassageDays.p50. 0 when it can be liquidated now, null past 365 days and without debt.',
    ),
    firstPassageDays: Type.Object(
      {
        p5: quantileDays('5 %'),
        p10: quantileDays('10 %'),
        p25: quantileDays('25 %'),
        p50: quantileDays('half'),
        p75: quantileDays('75 %'),
      },
      {
        description:
          'Quantiles of the time until the health factor first falls below 1, whole days, from the paths of liquidationProbability30d; 0 when it is below 1 now. null: not within notWithinDays, or no debt.',
      },
    ),
    notWithinDays: nullable(
      Type.Integer({ minimum: 1 }),
      'Days looked ahead: a quantile that is null is not reached within them. null where every quantile is reached, and without debt.',
    ),
    liquidationProbability30d: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Of liquidation within 30 days. At least one half exactly when daysToLiquidation is at most 30.',
    }),
    iterations: Type.Integer({ minimum: 0, description: 'Paths simulated; 0 without debt.' }),
    carryDays: nullable(
      Type.Number({ exclusiveMinimum: 0 }),
      'Time until interest alone liquidates, at today’s prices and rates, days; null for the reason in carryDaysReason.',
    ),
    carryDaysReason: nullable(
      oneOf(CARRY_REASONS, {
        description:
          'no_debt: there is none. liquidatable: it can be liquidated already. carry_not_negative: what secures the debt earns as much as the debt costs. rate_unknown: the rate of an asset is not read from its protocol.',
      }),
      'Why carryDays is null; null where it is a number.',
    ),
  }),
  ModelBasis,
  MaybeHistoryBasis,
]);
export type ForecastAnswer = Static<typeof ForecastAnswer>;

const bps = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description} Basis points.` });

/** Response of POST /v1/positions/:id/deleverage. */
export const DeleverageAnswer = Type.Composite([
  PositionBasis,
  Type.Object({
    targetHealthFactor: Type.Number({ description: 'As asked for.' }),
    protocol: Type.String({ description: 'Protocol id.' }),
    strategy: oneOf(DELEVERAGE_STRATEGIES, { description: 'As asked for.' }),
    requiredRepayUsd: usd(
      'Debt to repay: from outside under repay_debt, out of the sale under the others (from outside where `feasible` is false). 0 when the target is reached.',
    ),
    feasible: Type.Boolean({ description: 'False: no sale of what is held reaches the target.' }),
    sale: nullable(
      Type.Object({
        asset: Type.String({ description: 'The collateral that is sold.' }),
        sellUsd: nullable(
          Type.Number({ minimum: 0 }),
          'Value sold, USD; null where no amount reaches the target.',
        ),
        costUsd: nullable(Type.Number({ minimum: 0 }), 'What of it the costs take, USD; null with sellUsd.'),
        swapFeeBps: bps('Fee of the swap.'),
        slippageBps: bps('Slippage reckoned with.'),
        flashPremiumBps: bps('Premium of the flash loan; 0 without one.'),
      }),
      'The sale; null under repay_debt.',
    ),
    addCollateralUsd: Type.Record(Type.String(), Type.Number({ minimum: 0 }), {
      description: 'Collateral to add instead, by asset held, USD.',
    }),
  }),
]);
export type DeleverageAnswer = Static<typeof DeleverageAnswer>;

const factor = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });

/** Response of GET /v1/positions/:id/risk-score. */
export const RiskScoreAnswer = Type.Composite([
  PositionBasis,
  Type.Object({
    riskScore: factor(
      'Larger is riskier: levelFloor + 24.9·baseScore/100, so that no score contradicts its level. 100 when it can be liquidated; without debt baseScore itself.',
    ),
    label: oneOf(RISK_LEVELS, {
      description:
        'Below 25, 50, 75, and the rest: always the word of level, with low for none and critical for liquidatable.',
    }),
    level: oneOf(BANDS, {
      description: 'riskLevel of the position, from safest to worst; none: without debt.',
    }),
    baseScore: factor(
      'The larger of the weighted factors and 100·√liquidationProbability30d, before the level is counted: it ranks the positions of one level.',
    ),
    levelFloor: factor(
      'The least score of the level: 0 none and low, 25 moderate, 50 high, 75 critical, 100 liquidatable.',
    ),
    factors: Type.Object({
      healthFactor: factor('How near the health factor is to 1, on a logarithmic scale to 3.'),
      collateralVolatility: factor('Volatility of collateral against debt; near 0 where they move together.'),
      debtConcentration: factor('100 for a single debt, less for several; 0 without debt.'),
      protocolRisk: factor('By the risk tier of the protocol.'),
    }),
    liquidationProbability30d: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Of liquidation within 30 days; the base score is at least 100·√ of it.',
    }),
  }),
  ModelBasis,
  MaybeHistoryBasis,
]);
export type RiskScoreAnswer = Static<typeof RiskScoreAnswer>;
