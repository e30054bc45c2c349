import { Example, Field, Optional, POSITION_ID } from '../fields';
import { declareField } from '../fields/field';
import { RISK_MODELS, type RiskModel, SIMULATION_METHODS, type SimulationMethod } from '../risk/risk-basis';
import { ReceiptSignature } from './receipts';

const SHA_256 = '^[0-9a-f]{64}$';

class SimulatedModel {
  @Field.Word(RISK_MODELS, 'Its name.') name!: RiskModel;
  @Field.Text('Its version: another one may give other bits.', { example: '2' }) version!: string;
}

class SimulatedBlock {
  @Field.Integer('Number.', { min: 0 }) number!: number;
  @Field.Text('Hash.', { pattern: '^0x[0-9a-f]{64}$' }) hash!: string;
}

class SimulatedPositionName {
  @Field.Id('pos', 'Id of the position.') id!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Object(() => SimulatedBlock, 'Block of the amounts and prices.') block!: SimulatedBlock;
  @Field.Boolean('True: the request changed amounts or the e-mode.') isHypothetical!: boolean;
}

class SimulationParameters {
  @Field.Integer('Seed of the random numbers.', { min: 0 }) seed!: number;
  @Field.Integer('Paths.', { min: 1 }) paths!: number;
  @Field.Integer('Days to look ahead.', { min: 1 }) horizonDays!: number;

  @Field.Text(
    'Growth of each asset of the data: of the log price a year (fhs), or of the price a day (gbm).',
    {
      list: true,
    },
  )
  drift!: string[];
}

class SimulatedDebtAmount {
  @Field.Text('Symbol.') asset!: string;
  @Field.Text('Whole tokens.') amount!: string;
  @Field.Text('Price of a whole token, USD.') priceUsd!: string;
}

class SimulatedCollateralAmount extends SimulatedDebtAmount {
  @Field.Text('Share of the value that counts as weighted collateral, 0 to 1.') liquidationThreshold!: string;
}

class SimulationInputs {
  @Field.Object(() => SimulatedCollateralAmount, 'Collateral.', { list: true })
  collateral!: SimulatedCollateralAmount[];

  @Field.Object(() => SimulatedDebtAmount, 'Debt.', { list: true }) debt!: SimulatedDebtAmount[];
}

class SimulationDataName {
  @Field.Text('SHA-256 of the canonical JSON (RFC 8785) of `data`.', { pattern: SHA_256 }) hash!: string;
  @Field.Text('Sources of the prices.', { list: true }) sources!: string[];
  @Field.Day('First day.') from!: string;
  @Field.Day('Last day.') to!: string;
}

class SimulatedPercentiles {
  @Field.Text('5th percentile.') p5!: string;
  @Field.Text('Median.') p50!: string;
  @Field.Text('95th percentile.') p95!: string;
}

const passage = (share: number): PropertyDecorator =>
  Field.Integer(`Day by which ${share} % of the paths were below 1. Null: beyond the horizon.`, {
    min: 0,
    nullable: true,
  });

class SimulatedPassageDays {
  @passage(5) p5!: number | null;
  @passage(10) p10!: number | null;
  @passage(25) p25!: number | null;
  @passage(50) p50!: number | null;
  @passage(75) p75!: number | null;
}

class SimulationOutputs {
  @Field.Text('Probability of liquidation within the horizon.') liquidationProbability!: string;
  @Field.Text('Its standard error.') standardError!: string;

  @Field.Text('Upper bound of the probability at 95 %. Null when a path was liquidated.', { nullable: true })
  upperBound95!: string | null;

  @Field.Object(() => SimulatedPercentiles, 'Health factor at the horizon.', { nullable: true })
  percentiles!: SimulatedPercentiles | null;

  @Field.Word(SIMULATION_METHODS, 'How the probability was computed.')
  method!: SimulationMethod;

  @Field.Object(() => SimulatedPassageDays, 'Time to liquidation. Null for gbm.', { nullable: true })
  firstPassageDays!: SimulatedPassageDays | null;
}

export class SimulationReceiptContent {
  @Field.Integer('Version of the form: 1.', { min: 1 }) version!: 1;
  @Field.Word(['simulation'], 'Kind of the receipt.') kind!: 'simulation';
  @Field.Text('Release that ran the simulation.') build!: string;
  @Field.Object(() => SimulatedModel, 'The model.') model!: SimulatedModel;
  @Field.Object(() => SimulatedPositionName, 'The position.') position!: SimulatedPositionName;
  @Field.Object(() => SimulationParameters, 'The parameters.') parameters!: SimulationParameters;
  @Field.Object(() => SimulationInputs, 'The amounts and prices that were simulated.')
  inputs!: SimulationInputs;

  @Field.Object(() => SimulationDataName, 'The prices that the paths were drawn from.')
  data!: SimulationDataName;

  @Field.Object(() => SimulationOutputs, 'The result.') outputs!: SimulationOutputs;
}

export class SimulationReceiptData {
  @Field.Text('Price symbols, in the order of the other lists.', { list: true }) assets!: string[];

  @Optional()
  @dailyPrices('Closing prices of each asset, oldest first. Only for fhs.')
  close?: string[][];

  @Optional()
  @dailyPrices('Lowest prices. Only for fhs.')
  low?: string[][];

  @Optional()
  @dailyPrices('Highest prices. Only for fhs.')
  high?: string[][];

  @Optional()
  @dailyPrices('Covariances of the daily log returns. Only for gbm.')
  dailyCovariance?: string[][];
}

function dailyPrices(description: string): PropertyDecorator {
  const schema = { type: 'array', items: { type: 'array', items: { type: 'string' } } };
  return declareField({ schema, checks: [], description, options: {} });
}

/** A signed simulation. Its doubles are text, in the shortest form that gives the same bits. */
@Example({
  content: {
    build: '1.0.0',
    data: { from: '2025-11-20', hash: 'ab'.repeat(32), sources: ['coingecko'], to: '2026-11-20' },
    inputs: {
      collateral: [{ amount: '2.5', asset: 'WETH', liquidationThreshold: '0.825', priceUsd: '3000' }],
      debt: [{ amount: '5000', asset: 'USDC', priceUsd: '1' }],
    },
    kind: 'simulation',
    model: { name: 'fhs', version: '2' },
    outputs: {
      firstPassageDays: { p10: 12, p25: 26, p5: 7, p50: null, p75: null },
      liquidationProbability: '0.312',
      method: 'monte_carlo',
      percentiles: { p5: '0.84', p50: '1.23', p95: '1.71' },
      standardError: '0.0131',
      upperBound95: null,
    },
    parameters: { drift: ['0', '0'], horizonDays: 30, paths: 1_000, seed: 2_914_406_121 },
    position: {
      block: { hash: `0x${'5f'.repeat(32)}`, number: 24_100_207 },
      chainId: 1,
      id: POSITION_ID,
      isHypothetical: false,
    },
    version: 1,
  },
  data: {
    assets: ['ETH', 'USDC'],
    close: [['3000'], ['1']],
    high: [['3100'], ['1']],
    low: [['2900'], ['1']],
  },
  hash: 'cd'.repeat(32),
  signature: { keyId: 'rck_01aBcDeFgHiJkLmNoPqRsT', signedAt: 1_795_262_401_000, value: 'A'.repeat(86) },
})
export class SimulationReceiptBody {
  @Field.Object(() => SimulationReceiptContent, 'The signed part.') content!: SimulationReceiptContent;

  @Field.Object(() => SimulationReceiptData, 'The prices. They are not signed: their hash is.')
  data!: SimulationReceiptData;

  @Field.Text('SHA-256 of the canonical JSON (RFC 8785) of the content.', { pattern: SHA_256 }) hash!: string;
  @Field.Object(() => ReceiptSignature, 'Our signature.') signature!: ReceiptSignature;
}

/** Part of a response of a simulation that has a receipt on request. */
export class WithSimulationReceipt {
  @Optional()
  @Field.Object(
    () => SimulationReceiptBody,
    'Signed simulation, with all that a rerun needs. Only with `receipt`.',
  )
  receipt?: SimulationReceiptBody;
}
