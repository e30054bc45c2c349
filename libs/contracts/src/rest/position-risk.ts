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

  @JSONSchema({ description: 'Strategy. The default is repay_debt: from other funds, without a sale.' })
  @Optional()
  @IsIn(DELEVERAGE_STRATEGIES)
  strategy?: DeleverageStrategy;

  @JSONSchema({
    description: 'Symbol of the collateral to sell. Absent: the one that needs the smallest sale.',
  })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(32)
  asset?: string;

  @JSONSchema({ description: 'Assumed slippage of the sale, in basis points.' })
  @IsInt()
  @Min(0)
  @Max(1_000)
  maxSlippageBps: number = 50;
}

/** Why a forecast has no carryDays. */
export const CARRY_REASONS = ['no_debt', 'liquidatable', 'carry_not_negative', 'rate_unknown'] as const;
export type CarryReason = (typeof CARRY_REASONS)[number];

const quantileDays = (share: string) =>
  nullable(Type.Integer({ minimum: 0 }), `Day on which ${share} of the paths have fallen below 1.`);

/** Response of POST /v1/positions/:id/forecast. */
export const ForecastAnswer = Type.Composite([
  PositionBasis,
  Type.Object({
    liquidationPrice: Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 }), {
      description:
        'Price at which the position is liquidated while all other prices stay the same, by asset: the lower price for collateral, the higher price for debt. An asset that cannot cause a liquidation on its own is absent. USD.',
    }),
    distancePercent: nullable(
      Type.Number(),
      'Uniform fall of all collateral that causes a liquidation, percent. Negative when the position can be liquidated already. Null without debt.',
    ),
    volatileDistancePercent: nullable(
      Type.Number(),
      'The same while stable collateral keeps its price. Above 100 when that collateral covers the debt. Null without debt or volatile collateral.',
    ),
    daysToLiquidation: nullable(
      Type.Number({ minimum: 0 }),
      'Median time to liquidation without action, whole days: firstPassageDays.p50. 0 when the position can be liquidated now. Null after 365 days and without debt.',
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
          'Quantiles of the time until the health factor first falls below 1, whole days, from the paths of liquidationProbability30d. 0 when it is below 1 now. Null: not within notWithinDays, or no debt.',
      },
    ),
    notWithinDays: nullable(
      Type.Integer({ minimum: 1 }),
      'Simulated days. A null quantile is not reached within them. Null when every quantile is reached, and without debt.',
    ),
    liquidationProbability30d: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Probability of liquidation within 30 days. It is at least one half exactly when daysToLiquidation is at most 30.',
    }),
    iterations: Type.Integer({ minimum: 0, description: 'Simulated paths. 0 without debt.' }),
    carryDays: nullable(
      Type.Number({ exclusiveMinimum: 0 }),
      'Days until interest alone causes a liquidation, at today’s prices and rates. Null for the reason in carryDaysReason.',
    ),
    carryDaysReason: nullable(
      oneOf(CARRY_REASONS, {
        description:
          'no_debt: there is none. liquidatable: the position can be liquidated already. carry_not_negative: the collateral earns as much as the debt costs. rate_unknown: the rate of an asset is not read from its protocol.',
      }),
      'Why carryDays is null. Null when it is a number.',
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
    targetHealthFactor: Type.Number({ description: 'As in the request.' }),
    protocol: Type.String({ description: 'Protocol id.' }),
    strategy: oneOf(DELEVERAGE_STRATEGIES, { description: 'As in the request.' }),
    requiredRepayUsd: usd(
      'Debt to repay: from other funds for repay_debt, from the sale for the others (from other funds when `feasible` is false). 0 when the target is reached.',
    ),
    feasible: Type.Boolean({ description: 'False: no sale of the collateral reaches the target.' }),
    sale: nullable(
      Type.Object({
        asset: Type.String({ description: 'The collateral to sell.' }),
        sellUsd: nullable(
          Type.Number({ minimum: 0 }),
          'Value to sell, USD. Null when no amount reaches the target.',
        ),
        costUsd: nullable(
          Type.Number({ minimum: 0 }),
          'Costs within that value, USD. Null when sellUsd is null.',
        ),
        swapFeeBps: bps('Fee of the swap.'),
        slippageBps: bps('Assumed slippage.'),
        flashPremiumBps: bps('Premium of the flash loan; 0 without one.'),
      }),
      'The sale. Null for repay_debt.',
    ),
    addCollateralUsd: Type.Record(Type.String(), Type.Number({ minimum: 0 }), {
      description: 'Alternative: collateral to add, by asset of the position, USD.',
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
      'A larger score is riskier: levelFloor + 24.9·baseScore/100, so that no score contradicts its level. 100 when the position can be liquidated. Without debt it is baseScore.',
    ),
    label: oneOf(RISK_LEVELS, {
      description:
        'Ranges end at 25, 50 and 75. It is always the word of level, with low for none and critical for liquidatable.',
    }),
    level: oneOf(BANDS, {
      description: 'riskLevel of the position, from safest to worst; none: without debt.',
    }),
    baseScore: factor(
      'The larger of the weighted factors and 100·√liquidationProbability30d, without the level. It ranks the positions of one level.',
    ),
    levelFloor: factor(
      'Lowest score of the level: 0 none and low, 25 moderate, 50 high, 75 critical, 100 liquidatable.',
    ),
    factors: Type.Object({
      healthFactor: factor('Distance of the health factor from 1, on a logarithmic scale to 3.'),
      collateralVolatility: factor('Volatility of collateral against debt; near 0 where they move together.'),
      debtConcentration: factor('100 for a single debt, less for several; 0 without debt.'),
      protocolRisk: factor('Derived from the risk tier of the protocol.'),
    }),
    liquidationProbability30d: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Probability of liquidation within 30 days. The base score is at least 100·√ of it.',
    }),
  }),
  ModelBasis,
  MaybeHistoryBasis,
]);
export type RiskScoreAnswer = Static<typeof RiskScoreAnswer>;
