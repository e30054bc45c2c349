import { Type as Class } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { RISK_THRESHOLDS } from '../../risk/levels';
import {
  AcceptsNames,
  BLOCK,
  Combined,
  Example,
  Field,
  IsId,
  MOST_NAME_CHARS,
  OR_NAME,
  Optional,
  POSITION_ID,
  TIMESTAMP,
  WALLET,
} from '../fields';
import { BlockStamp, Unreadable } from '../positions/positions';
import { WithRiskThresholds } from '../positions/risk-level';
import { LossSplit } from '../risk/losses';
import {
  MAX_SCENARIOS,
  PriceScenarioBody,
  STRESS_EXAMPLE,
  StressFigures,
  WHAT_IF_EXAMPLE,
  WhatIfFigures,
} from './simulate';

/** Most wallets that a simulation of a portfolio may name. */
const MOST_WALLETS = 100;

/** Reasons for which a position is not simulated. */
export const NOT_SIMULATED_REASONS = ['no_price'] as const;

/** Body of POST /v1/simulate/portfolio. The service checks that there is a scenario. */
@Example({ scenarios: [{ asset: 'ETH', priceChangePercent: -20 }], stressScenarios: ['march_2020'] })
export class SimulatePortfolioBody {
  @JSONSchema({
    description:
      'Price changes, as in POST /v1/simulate/what-if. At least one position must have each asset. Absent: no what-if.',
  })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SCENARIOS)
  @ValidateNested({ each: true })
  @Class(() => PriceScenarioBody)
  scenarios?: PriceScenarioBody[];

  @JSONSchema({
    description: 'Identifiers from GET /v1/simulate/scenarios. Absent: no stress test.',
  })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SCENARIOS)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  stressScenarios?: string[];

  @JSONSchema({
    description: `Wallet addresses. Absent: the watched wallets of the account, or those of the group. ${OR_NAME}`,
  })
  @AcceptsNames()
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_WALLETS)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(MOST_NAME_CHARS, { each: true })
  wallets?: string[];

  @JSONSchema({ description: 'Only wallets in this wallet group. Not with wallets.' })
  @Optional()
  @IsId('wgr')
  walletGroupId?: string;
}

/** A position of a simulated portfolio. */
export class SimulatedPortfolioPosition {
  @Field.Id('pos', 'The position.') positionId!: string;
  @Field.Text('Protocol id.') protocol!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Address('Owner of the position.') wallet!: string;

  @Field.Number('Before the changes. Null without debt.', { min: 0, nullable: true })
  currentHealthFactor!: number | null;

  @Field.Timestamp('Time of the block whose oracle prices are the starting point.') priceTime!: string;

  @Optional()
  @Field.Integer('Block of the position. Present only when it could not be read at asOfBlock.', { min: 0 })
  block?: number;

  @Optional()
  @Field.Object(
    () => WhatIfFigures,
    'As in POST /v1/simulate/what-if with the same scenarios. A scenario whose asset the position does not have changes nothing.',
  )
  whatIf?: WhatIfFigures;

  @Optional()
  @Field.Object(() => StressFigures, 'As in POST /v1/simulate/stress-test with the same scenarios.')
  stress?: StressFigures;
}

/** All positions of a portfolio after a change. */
export class PortfolioOutcome {
  @Field.Number('Sum of the losses of the positions. USD.', { min: 0 }) estimatedLoss!: number;
  @Field.Object(() => LossSplit, 'Sums of the parts.') lossSplit!: LossSplit;
  @Field.Integer('Positions with a health factor below 1 after the change.', { min: 0 })
  positionsLiquidatable!: number;

  @Field.Number('Lowest health factor after the change. Null: no position has debt.', {
    min: 0,
    nullable: true,
  })
  lowestHealthFactor!: number | null;
}

/** A what-if scenario over a portfolio. */
export class PortfolioWhatIfTotal extends PortfolioOutcome {
  @Field.Text('The change, as text.', { example: 'ETH -20%' }) scenario!: string;
  @Field.Integer('Positions that have an asset that moves.', { min: 0 }) positionsMoved!: number;
}

/** A stress scenario over a portfolio. */
export class PortfolioStressTotal extends PortfolioOutcome {
  @Field.Text('Identifier of the scenario.') scenario!: string;
  @Field.Usd('Everything supplied, at the prices of the scenario, before any liquidation.')
  collateralUsd!: number;

  @Field.Usd('Everything owed, at the prices of the scenario, before any liquidation.') debtUsd!: number;
}

/** Sums of a simulated portfolio. */
export class PortfolioSimulationTotals {
  @Field.Integer('Simulated positions.', { min: 0 }) positions!: number;
  @Field.Usd('Everything supplied minus everything owed, before the changes.') netWorthUsd!: number;

  @Field.Number('Before the changes. Null: no position has debt.', { min: 0, nullable: true })
  lowestHealthFactor!: number | null;

  @Field.Object(() => PortfolioWhatIfTotal, 'One for each of scenarios, in their order.', { list: true })
  whatIf!: PortfolioWhatIfTotal[];

  @Field.Object(() => PortfolioOutcome, 'All of scenarios together. Null without scenarios.', {
    nullable: true,
  })
  combined!: PortfolioOutcome | null;

  @Field.Object(() => PortfolioStressTotal, 'One for each of stressScenarios, in their order.', {
    list: true,
  })
  stress!: PortfolioStressTotal[];
}

/** A position that is not simulated. */
export class NotSimulatedPosition {
  @Field.Id('pos', 'The position.') positionId!: string;
  @Field.Text('Protocol id.') protocol!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Address('Owner of the position.') wallet!: string;
  @Field.Word(NOT_SIMULATED_REASONS, 'no_price: an asset of the position has no dollar price.')
  reason!: (typeof NOT_SIMULATED_REASONS)[number];
}

const OUTCOME = {
  estimatedLoss: 1_625,
  lossSplit: { marketLossUsd: 1_500, penaltyUsd: 125, slippageUsd: 0, badDebtUsd: 0 },
  positionsLiquidatable: 1,
  lowestHealthFactor: 0.99,
};

/** Response of POST /v1/simulate/portfolio. */
@Example({
  positions: [
    {
      positionId: POSITION_ID,
      protocol: 'aave-v3',
      chainId: 1,
      wallet: WALLET,
      currentHealthFactor: 1.2375,
      priceTime: TIMESTAMP,
      whatIf: WHAT_IF_EXAMPLE,
      stress: STRESS_EXAMPLE,
    },
  ],
  totals: {
    positions: 1,
    netWorthUsd: 2_500,
    lowestHealthFactor: 1.2375,
    whatIf: [{ scenario: 'ETH -20%', positionsMoved: 1, ...OUTCOME }],
    combined: OUTCOME,
    stress: [
      {
        scenario: 'march_2020',
        estimatedLoss: 2_500,
        lossSplit: { marketLossUsd: 2_500, penaltyUsd: 0, slippageUsd: 0, badDebtUsd: 1_742.14 },
        positionsLiquidatable: 1,
        lowestHealthFactor: 0.5635,
        collateralUsd: 3_405,
        debtUsd: 4_985,
      },
    ],
  },
  notSimulated: [],
  unreadable: [],
  riskThresholds: RISK_THRESHOLDS,
  ...BLOCK,
})
export class PortfolioSimulation extends Combined(WithRiskThresholds, BlockStamp) {
  @Field.Object(() => SimulatedPortfolioPosition, 'Lowest health factor first.', { list: true })
  positions!: SimulatedPortfolioPosition[];

  @Field.Object(() => PortfolioSimulationTotals, 'Sums of these positions.')
  totals!: PortfolioSimulationTotals;

  @Field.Object(() => NotSimulatedPosition, 'Positions that are in no figure of this response.', {
    list: true,
  })
  notSimulated!: NotSimulatedPosition[];

  @Field.Object(
    () => Unreadable,
    'Parts that could not be read and may be missing. Empty when all was read.',
    { list: true },
  )
  unreadable!: Unreadable[];
}
