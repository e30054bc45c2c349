import { IsIn, IsInt, IsNotEmpty, IsNumber, IsString, Max, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { DELEVERAGE_STRATEGIES, type DeleverageStrategy } from '../../automation';
import { BANDS, type Band } from '../../risk/bands';
import { RISK_LEVELS, type RiskLevel } from '../../risk/risk-level-schema';
import { Combined, Example, Field, HISTORY, NO_DRIFT, Optional, POSITION_BASIS } from '../fields';
import { type Drift, IsDrift } from './drift';
import { MaybeHistoryBasis, ModelBasis, PositionBasis } from './risk-basis';

/** Body of POST /v1/positions/:id/forecast. */
@Example({ drift: 'none' })
export class ForecastBody {
  @Optional()
  @IsDrift()
  drift?: Drift;
}

/** Body of POST /v1/positions/:id/deleverage. */
@Example({ targetHealthFactor: 1.5 })
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
  Field.Integer(`Day on which ${share} of the paths have fallen below 1.`, { min: 0, nullable: true });

class ForecastFirstPassageDays {
  @quantileDays('5 %') p5!: number | null;
  @quantileDays('10 %') p10!: number | null;
  @quantileDays('25 %') p25!: number | null;
  @quantileDays('half') p50!: number | null;
  @quantileDays('75 %') p75!: number | null;
}

/** Response of POST /v1/positions/:id/forecast. */
@Example({
  ...POSITION_BASIS,
  liquidationPrice: { WETH: 2_424.2, USDC: 1.2375 },
  distancePercent: 19.19,
  volatileDistancePercent: 19.19,
  daysToLiquidation: 61,
  firstPassageDays: { p5: 6, p10: 10, p25: 24, p50: 61, p75: null },
  notWithinDays: 365,
  liquidationProbability30d: 0.312,
  iterations: 5_000,
  carryDays: 1_944.5,
  carryDaysReason: null,
  model: 'fhs',
  standardError: 0.0058,
  upperBound95: null,
  drift: NO_DRIFT,
  ...HISTORY,
})
export class ForecastAnswer extends Combined(PositionBasis, ModelBasis, MaybeHistoryBasis) {
  @Field.Number(
    'Price at which the position is liquidated while all other prices stay the same, by asset: the lower price for collateral, the higher price for debt. An asset that cannot cause a liquidation on its own is absent. USD.',
    { above: 0, map: true },
  )
  liquidationPrice!: Record<string, number>;

  @Field.Number(
    'Uniform fall of all collateral that causes a liquidation, percent. Negative when the position can be liquidated already. Null without debt.',
    { nullable: true },
  )
  distancePercent!: number | null;

  @Field.Number(
    'The same while stable collateral keeps its price. Above 100 when that collateral covers the debt. Null without debt or volatile collateral.',
    { nullable: true },
  )
  volatileDistancePercent!: number | null;

  @Field.Number(
    'Median time to liquidation without action, whole days: firstPassageDays.p50. 0 when the position can be liquidated now. Null after 365 days and without debt.',
    { min: 0, nullable: true },
  )
  daysToLiquidation!: number | null;

  @Field.Object(
    () => ForecastFirstPassageDays,
    'Quantiles of the time until the health factor first falls below 1, whole days, from the paths of liquidationProbability30d. 0 when it is below 1 now. Null: not within notWithinDays, or no debt.',
  )
  firstPassageDays!: ForecastFirstPassageDays;

  @Field.Integer(
    'Simulated days. A null quantile is not reached within them. Null when every quantile is reached, and without debt.',
    { min: 1, nullable: true },
  )
  notWithinDays!: number | null;

  @Field.Number(
    'Probability of liquidation within 30 days. It is at least one half exactly when daysToLiquidation is at most 30.',
    { min: 0, max: 1 },
  )
  liquidationProbability30d!: number;

  @Field.Integer('Simulated paths. 0 without debt.', { min: 0 }) iterations!: number;

  @Field.Number(
    'Days until interest alone causes a liquidation, at today’s prices and rates. Null for the reason in carryDaysReason.',
    { above: 0, nullable: true },
  )
  carryDays!: number | null;

  @Field.Word(CARRY_REASONS, 'Why carryDays is null. Null when it is a number.', { nullable: true })
  carryDaysReason!: CarryReason | null;
}

const bps = (description: string) => Field.Integer(`${description} Basis points.`, { min: 0 });

class DeleverageSale {
  @Field.Text('The collateral to sell.') asset!: string;

  @Field.Number('Value to sell, USD. Null when no amount reaches the target.', { min: 0, nullable: true })
  sellUsd!: number | null;

  @Field.Number('Costs within that value, USD. Null when sellUsd is null.', { min: 0, nullable: true })
  costUsd!: number | null;

  @bps('Fee of the swap.') swapFeeBps!: number;
  @bps('Assumed slippage.') slippageBps!: number;
  @bps('Premium of the flash loan; 0 without one.') flashPremiumBps!: number;
}

/** Response of POST /v1/positions/:id/deleverage. */
@Example({
  ...POSITION_BASIS,
  targetHealthFactor: 1.5,
  protocol: 'aave-v3',
  strategy: 'repay_debt',
  requiredRepayUsd: 875,
  feasible: true,
  sale: null,
  addCollateralUsd: { WETH: 1_590.91 },
})
export class DeleverageAnswer extends PositionBasis {
  @Field.Number('As in the request.') targetHealthFactor!: number;
  @Field.Text('Protocol id.') protocol!: string;
  @Field.Word(DELEVERAGE_STRATEGIES, 'As in the request.') strategy!: DeleverageStrategy;

  @Field.Usd(
    'Debt to repay: from other funds for repay_debt, from the sale for the others (from other funds when `feasible` is false). 0 when the target is reached.',
  )
  requiredRepayUsd!: number;

  @Field.Boolean('False: no sale of the collateral reaches the target.') feasible!: boolean;

  @Field.Object(() => DeleverageSale, 'The sale. Null for repay_debt.', { nullable: true })
  sale!: DeleverageSale | null;

  @Field.Number('Alternative: collateral to add, by asset of the position, USD.', { min: 0, map: true })
  addCollateralUsd!: Record<string, number>;
}

const factor = (description: string) => Field.Number(description, { min: 0, max: 100 });

class RiskScoreFactors {
  @factor('Distance of the health factor from 1, on a logarithmic scale to 3.') healthFactor!: number;

  @factor('Volatility of collateral against debt; near 0 where they move together.')
  collateralVolatility!: number;

  @factor('100 for a single debt, less for several; 0 without debt.') debtConcentration!: number;
  @factor('Derived from the risk tier of the protocol.') protocolRisk!: number;
}

/** Response of GET /v1/positions/:id/risk-score. */
@Example({
  ...POSITION_BASIS,
  riskScore: 65.7,
  label: 'high',
  level: 'high',
  baseScore: 63.2,
  levelFloor: 50,
  factors: {
    healthFactor: 80.6,
    collateralVolatility: 52,
    debtConcentration: 100,
    protocolRisk: 10,
  },
  liquidationProbability30d: 0.4,
  model: 'fhs',
  standardError: 0.0061,
  upperBound95: null,
  drift: NO_DRIFT,
  ...HISTORY,
})
export class RiskScoreAnswer extends Combined(PositionBasis, ModelBasis, MaybeHistoryBasis) {
  @factor(
    'A larger score is riskier: levelFloor + 24.9·baseScore/100, so that no score contradicts its level. 100 when the position can be liquidated. Without debt it is baseScore.',
  )
  riskScore!: number;

  @Field.Word(
    RISK_LEVELS,
    'Ranges end at 25, 50 and 75. It is always the word of level, with low for none and critical for liquidatable.',
  )
  label!: RiskLevel;

  @Field.Word(BANDS, 'riskLevel of the position, from safest to worst; none: without debt.')
  level!: Band;

  @factor(
    'The larger of the weighted factors and 100·√liquidationProbability30d, without the level. It ranks the positions of one level.',
  )
  baseScore!: number;

  @factor('Lowest score of the level: 0 none and low, 25 moderate, 50 high, 75 critical, 100 liquidatable.')
  levelFloor!: number;

  @Field.Object(() => RiskScoreFactors, 'Parts of the score.') factors!: RiskScoreFactors;

  @Field.Number('Probability of liquidation within 30 days. The base score is at least 100·√ of it.', {
    min: 0,
    max: 1,
  })
  liquidationProbability30d!: number;
}
