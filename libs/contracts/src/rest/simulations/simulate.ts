import { Type as Class } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
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
import { BANDS, type Band } from '../../risk/bands';
import { RISK_THRESHOLDS, riskLevelOf } from '../../risk/levels';
import {
  Combined,
  Example,
  Field,
  HISTORY,
  NO_DRIFT,
  Optional,
  POSITION_BASIS,
  POSITION_ID,
} from '../fields';
import { POSITION_SIDES, type PositionSide } from '../../position-sides';
import { type Drift, IsDrift } from '../risk/drift';
import { LossAssumptions, LossSplit } from '../risk/losses';
import {
  MaybeHistoryBasis,
  ModelBasis,
  PositionBasis,
  RISK_MODELS,
  type RiskModel,
  SIMULATION_METHODS,
  type SimulationMethod,
} from '../risk/risk-basis';
import { WithSimulationReceipt } from '../receipts/simulation-receipt';
import { RiskLevelReason, WithRiskThresholds } from '../positions/risk-level';

const { riskLevelBasis, riskLevelReason } = riskLevelOf(0.99, null);
const REASON = { riskLevelBasis, riskLevelReason };
const SPLIT = { marketLossUsd: 1_500, penaltyUsd: 125, slippageUsd: 0, badDebtUsd: 0 };
const ASSUMPTIONS = {
  depthModel: 'constant-product-1',
  depthBasis: { ETH: 'asset' },
  liquidationBonus: { ETH: 0.05 },
  bonusBasis: 'typical',
  closeFactor: 0.5,
  fullCloseHealthFactor: 0.95,
  fullCloseBelowUsd: 2_000,
};

export const MAX_SCENARIOS = 50;

const MAX_SEED = 2 ** 32 - 1;

const MAX_CHANGES = 8;

const MAX_EMODE = 255;

const MAX_CHANGE_USD = 1e15;

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
@Example({ positionId: POSITION_ID, scenarios: [{ asset: 'ETH', priceChangePercent: -20 }] })
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
@Example({ positionId: POSITION_ID, iterations: 1_000, horizonDays: 30 })
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

  @JSONSchema({
    description:
      'True: the response has a signed receipt, with which everyone can run the simulation again. A position without debt has none.',
  })
  @Optional()
  @IsBoolean()
  receipt?: boolean;
}

/** Body of POST /v1/simulate/stress-test. */
@Example({ positionId: POSITION_ID, scenarios: ['march_2020'] })
export class StressTestBody extends PositionBody {
  @JSONSchema({ description: 'Identifiers from GET /v1/simulate/scenarios.' })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SCENARIOS)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  scenarios!: string[];
}

const healthFactor = (what: string) =>
  Field.Number(`${what}; null without debt, and where the contract never liquidates it.`, {
    min: 0,
    nullable: true,
  });

class Outcome extends RiskLevelReason {
  @healthFactor('Health factor after the change') newHealthFactor!: number | null;

  @Field.Word(BANDS, 'Risk level of the figures after the change; none: without debt.')
  liquidationRisk!: Band;

  @Field.Number(
    'Loss of the owner: the fall of supplied minus borrowed, with penalty and slippage in a liquidation. At most the net worth before. 0 for a gain. USD.',
    { min: 0 },
  )
  estimatedLoss!: number;

  @Field.Object(() => LossSplit) lossSplit!: LossSplit;
}

class WhatIfResult extends Outcome {
  @Field.Text('The change, as text.', { example: 'ETH -20%' }) scenario!: string;
  @Field.Text('The asset, as in the request.') asset!: string;
  @Field.Number('Percent: −20 is a fall of 20 %.') priceChangePercent!: number;
  @Field.Text('Assets of the position that move with it.', { list: true }) movedAssets!: string[];
}

/** Figures that decide the level of a what-if. */
export const LIQUIDATION_RISK_SOURCES = ['health_factor', 'probability_7d'] as const;

const WHAT_IF_OUTCOME = {
  newHealthFactor: 0.99,
  liquidationRisk: 'liquidatable',
  ...REASON,
  estimatedLoss: 1_625,
  lossSplit: SPLIT,
};
export const WHAT_IF_EXAMPLE = {
  results: [
    {
      scenario: 'ETH -20%',
      asset: 'ETH',
      priceChangePercent: -20,
      movedAssets: ['WETH'],
      ...WHAT_IF_OUTCOME,
    },
  ],
  combined: WHAT_IF_OUTCOME,
  liquidationRiskFrom: 'health_factor',
  assumptions: ASSUMPTIONS,
};

/** A position at other prices. */
export class WhatIfFigures {
  @Field.Object(
    () => WhatIfResult,
    'One result per scenario, applied separately, in the order of the request.',
    { list: true },
  )
  results!: WhatIfResult[];

  @Field.Object(() => Outcome, 'All scenarios together. Changes of the same price multiply.')
  combined!: Outcome;

  @Field.Word(
    LIQUIDATION_RISK_SOURCES,
    'The figure that decides the levels at a health factor of 1 and more: the probability of liquidation within 7 days when collateral and debt move together, otherwise the health factor.',
  )
  liquidationRiskFrom!: (typeof LIQUIDATION_RISK_SOURCES)[number];

  @Field.Object(() => LossAssumptions) assumptions!: LossAssumptions;
}

/** Response of POST /v1/simulate/what-if. */
@Example({ ...POSITION_BASIS, ...WHAT_IF_EXAMPLE, riskThresholds: RISK_THRESHOLDS })
export class WhatIfAnswer extends Combined(WhatIfFigures, PositionBasis, WithRiskThresholds) {}

class Percentile {
  @healthFactor('Health factor at the horizon') healthFactor!: number | null;
}

class MonteCarloPercentiles {
  @Field.Object(() => Percentile, '5th percentile.') p5!: Percentile;
  @Field.Object(() => Percentile, 'Median.') p50!: Percentile;
  @Field.Object(() => Percentile, '95th percentile.') p95!: Percentile;
}

/** Response of POST /v1/simulate/monte-carlo. */
@Example({
  ...POSITION_BASIS,
  iterations: 1_000,
  horizonDays: 30,
  liquidationProbability: 0.312,
  percentiles: {
    p5: { healthFactor: 0.84 },
    p50: { healthFactor: 1.23 },
    p95: { healthFactor: 1.71 },
  },
  method: 'monte_carlo',
  seed: 2_914_406_121,
  model: 'fhs',
  standardError: 0.0131,
  upperBound95: null,
  drift: NO_DRIFT,
  ...HISTORY,
})
export class MonteCarloAnswer extends Combined(
  PositionBasis,
  ModelBasis,
  MaybeHistoryBasis,
  WithSimulationReceipt,
) {
  @Field.Integer('Paths, as in the request.', { min: 1 }) iterations!: number;
  @Field.Integer('Days, as in the request.', { min: 1, max: 365 }) horizonDays!: number;

  @Field.Number('Probability that the health factor falls below 1 at any time within the horizon.', {
    min: 0,
    max: 1,
  })
  liquidationProbability!: number;

  @Field.Object(
    () => MonteCarloPercentiles,
    'Health factor at the horizon, as if no liquidation happened before.',
  )
  percentiles!: MonteCarloPercentiles;

  @Optional()
  @healthFactor('Health factor after the changes or in the e-mode of the request; only with them')
  changedHealthFactor?: number | null;

  @Field.Word(SIMULATION_METHODS, 'closed_form: exact. The iterations do not affect the probability.')
  method!: SimulationMethod;

  @Field.Integer('Send it again for the same paths.', { min: 0, max: MAX_SEED }) seed!: number;
}

class StressTestResult {
  @Field.Text('Identifier of the scenario.') scenario!: string;
  @healthFactor('Health factor under the scenario') healthFactor!: number | null;
  @Field.Boolean('True when the health factor falls below 1.') liquidated!: boolean;

  @Field.Number(
    'Loss of the owner: the fall of supplied minus borrowed, with penalty and slippage in a liquidation. At most the net worth before. 0 for a gain. USD.',
    { min: 0 },
  )
  estimatedLoss!: number;

  @Field.Object(() => LossSplit) lossSplit!: LossSplit;

  @Field.Usd('Everything supplied, at the prices of the scenario, before any liquidation.')
  collateralUsd!: number;

  @Field.Usd('Everything owed, at the prices of the scenario, before any liquidation.') debtUsd!: number;

  @Field.Number('Price change of each asset of the position, percent.', {
    item: 'Percent: −20 is a fall of 20 %.',
    map: true,
  })
  shocks!: Record<string, number>;
}

export const STRESS_EXAMPLE = {
  results: [
    {
      scenario: 'march_2020',
      healthFactor: 0.5635,
      liquidated: true,
      estimatedLoss: 2_500,
      lossSplit: { marketLossUsd: 2_500, penaltyUsd: 0, slippageUsd: 0, badDebtUsd: 1_742.14 },
      collateralUsd: 3_405,
      debtUsd: 4_985,
      shocks: { WETH: -54.6, USDC: -0.3 },
    },
  ],
  assumptions: ASSUMPTIONS,
};

/** A position under stress scenarios. */
export class StressFigures {
  @Field.Object(() => StressTestResult, 'One result per scenario, in the order of the request.', {
    list: true,
  })
  results!: StressTestResult[];

  @Field.Object(() => LossAssumptions) assumptions!: LossAssumptions;
}

/** Response of POST /v1/simulate/stress-test. */
@Example({ ...POSITION_BASIS, ...STRESS_EXAMPLE })
export class StressTestAnswer extends Combined(StressFigures, PositionBasis) {}
