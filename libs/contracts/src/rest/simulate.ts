import { type Static, Type } from '@sinclair/typebox';
import { Type as Class } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { BANDS } from '../bands';
import { IsDrift, type Drift } from './drift';
import { nullable, oneOf, usd } from './fields';
import { LossAssumptions, LossSplit } from './losses';
import { Optional } from './optional';
import { MaybeHistoryBasis, ModelBasis, PositionBasis, RISK_MODELS, type RiskModel } from './risk-basis';
import { WithRiskThresholds, riskLevelFields } from './risk-level';

const MAX_SCENARIOS = 50;
const MAX_SEED = 2 ** 32 - 1;
const MAX_CHANGES = 8;
const MAX_EMODE = 255;
const MAX_CHANGE_USD = 1e15;

/** Sides of a position. */
export const POSITION_SIDES = ['collateral', 'debt'] as const;
export type PositionSide = (typeof POSITION_SIDES)[number];

/** Body of every POST about one position. */
class PositionBody {
  @JSONSchema({ description: 'Id of the position.' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  positionId!: string;
}

/** One price change of a what-if. */
export class PriceScenarioBody {
  @JSONSchema({
    description:
      'Symbol of an asset of the position, in any case. ETH and WETH have one price, and BTC and WBTC have one price. A staking token without an own entry moves with its underlying asset.',
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(32)
  asset!: string;

  @JSONSchema({ description: 'Percent: −20 is a fall of 20 %.' })
  @IsNumber()
  @Min(-100)
  @Max(10_000)
  priceChangePercent!: number;
}

/** Body of POST /v1/simulate/what-if. */
export class WhatIfBody extends PositionBody {
  @JSONSchema({ description: 'Each scenario is applied separately, and then all of them together.' })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SCENARIOS)
  @ValidateNested({ each: true })
  @Class(() => PriceScenarioBody)
  scenarios!: PriceScenarioBody[];
}

/** A hypothetical amount of a position. */
export class AmountChangeBody {
  @JSONSchema({ description: 'Symbol of an asset that the position holds or owes, in any case.' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(32)
  asset!: string;

  @JSONSchema({ description: 'Side of the position.' })
  @IsIn(POSITION_SIDES)
  side!: PositionSide;

  @JSONSchema({
    description: 'Value to add, USD. Negative: value to remove, at most the present amount.',
  })
  @IsNumber()
  @Min(-MAX_CHANGE_USD)
  @Max(MAX_CHANGE_USD)
  usd!: number;
}

/** Body of POST /v1/simulate/monte-carlo. */
export class MonteCarloBody extends PositionBody {
  @JSONSchema({
    description: 'Paths: up to 1,000 on pro, 5,000 on business, 100,000 on enterprise.',
    maximum: 100_000,
  })
  @IsInt()
  @Min(1)
  iterations!: number;

  @JSONSchema({ description: 'Days to look ahead.' })
  @IsInt()
  @Min(1)
  @Max(365)
  horizonDays!: number;

  @JSONSchema({ description: 'The default is fhs.' })
  @Optional()
  @IsIn(RISK_MODELS)
  model?: RiskModel;

  @Optional()
  @IsDrift()
  drift?: Drift;

  @JSONSchema({
    description:
      'Absent: derived from the assets on each side, the model, the drift and the history, so that similar positions share their paths.',
  })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(MAX_SEED)
  seed?: number;

  @JSONSchema({
    description:
      'Hypothetical amounts. The figures describe the position after all of them, on the same paths.',
  })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_CHANGES)
  @ValidateNested({ each: true })
  @Class(() => AmountChangeBody)
  changes?: AmountChangeBody[];

  @JSONSchema({
    description:
      'Id of one of the position’s eModes to try. The figures describe the position in it, before any changes of amounts.',
  })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_EMODE)
  eMode?: number;
}

/** Body of POST /v1/simulate/stress-test. */
export class StressTestBody extends PositionBody {
  @JSONSchema({ description: 'Identifiers from GET /v1/simulate/scenarios.' })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SCENARIOS)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  scenarios!: string[];
}

const healthFactor = (what: string) => nullable(Type.Number({ minimum: 0 }), `${what}; null without debt.`);
const estimatedLoss = Type.Number({
  minimum: 0,
  description:
    'Loss of the owner: the fall of supplied minus borrowed, with penalty and slippage in a liquidation. At most the net worth before. 0 for a gain. USD.',
});
const percent = Type.Number({ description: 'Percent: −20 is a fall of 20 %.' });

const Outcome = Type.Object({
  newHealthFactor: healthFactor('Health factor after the change'),
  liquidationRisk: oneOf(BANDS, {
    description: 'Risk level of the figures after the change; none: without debt.',
  }),
  riskLevelBasis: riskLevelFields.riskLevelBasis,
  riskLevelReason: riskLevelFields.riskLevelReason,
  estimatedLoss,
  lossSplit: LossSplit,
});

/** Response of POST /v1/simulate/what-if. */
export const WhatIfAnswer = Type.Composite([
  PositionBasis,
  Type.Object({
    results: Type.Array(
      Type.Composite([
        Type.Object({
          scenario: Type.String({ description: 'The change, as text.', examples: ['ETH -20%'] }),
          asset: Type.String({ description: 'The asset, as in the request.' }),
          priceChangePercent: percent,
          movedAssets: Type.Array(Type.String(), {
            description: 'Assets of the position that move with it.',
          }),
        }),
        Outcome,
      ]),
      { description: 'One result per scenario, applied separately, in the order of the request.' },
    ),
    combined: Type.Composite([Outcome], {
      description: 'All scenarios together. Changes of the same price multiply.',
    }),
    liquidationRiskFrom: oneOf(['health_factor', 'probability_7d'] as const, {
      description:
        'The figure that decides the levels at a health factor of 1 and more: the probability of liquidation within 7 days when collateral and debt move together, otherwise the health factor.',
    }),
    assumptions: LossAssumptions,
  }),
  WithRiskThresholds,
]);
export type WhatIfAnswer = Static<typeof WhatIfAnswer>;

const Percentile = Type.Object({ healthFactor: healthFactor('Health factor at the horizon') });

/** Response of POST /v1/simulate/monte-carlo. */
export const MonteCarloAnswer = Type.Composite([
  PositionBasis,
  Type.Object({
    iterations: Type.Integer({ minimum: 1, description: 'Paths, as in the request.' }),
    horizonDays: Type.Integer({ minimum: 1, maximum: 365, description: 'Days, as in the request.' }),
    liquidationProbability: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Probability that the health factor falls below 1 at any time within the horizon.',
    }),
    percentiles: Type.Object(
      { p5: Percentile, p50: Percentile, p95: Percentile },
      { description: 'Health factor at the horizon, as if no liquidation happened before.' },
    ),
    changedHealthFactor: Type.Optional(
      healthFactor('Health factor after the changes or in the e-mode of the request; only with them'),
    ),
    method: oneOf(['closed_form', 'quasi_monte_carlo', 'monte_carlo'] as const, {
      description: 'closed_form: exact. The iterations do not affect the probability.',
    }),
    seed: Type.Integer({ minimum: 0, maximum: MAX_SEED, description: 'Send it again for the same paths.' }),
  }),
  ModelBasis,
  MaybeHistoryBasis,
]);
export type MonteCarloAnswer = Static<typeof MonteCarloAnswer>;

/** Response of POST /v1/simulate/stress-test. */
export const StressTestAnswer = Type.Composite([
  PositionBasis,
  Type.Object({
    results: Type.Array(
      Type.Object({
        scenario: Type.String({ description: 'Identifier of the scenario.' }),
        healthFactor: healthFactor('Health factor under the scenario'),
        liquidated: Type.Boolean({ description: 'True when the health factor falls below 1.' }),
        estimatedLoss,
        lossSplit: LossSplit,
        collateralUsd: usd('Everything supplied, at the prices of the scenario, before any liquidation.'),
        debtUsd: usd('Everything owed, at the prices of the scenario, before any liquidation.'),
        shocks: Type.Record(Type.String(), percent, {
          description: 'Price change of each asset of the position, percent.',
        }),
      }),
      { description: 'One result per scenario, in the order of the request.' },
    ),
    assumptions: LossAssumptions,
  }),
]);
export type StressTestAnswer = Static<typeof StressTestAnswer>;
