import {
  type SimulationContent,
  type SimulationData,
  type SimulationReceipt,
  numberText,
} from '@plimsoll/receipts';
import { MODEL_VERSIONS, simulate, type SimulationTask, type TaskResult } from '@plimsoll/risk-math';
import { Difference } from './steps';

/** @throws Difference when this verifier has another version of the model */
export function checkModel({ model: { name, version } }: SimulationContent): void {
  const own = MODEL_VERSIONS[name];
  if (version !== own)
    throw new Difference(
      'model_unknown',
      `the receipt names ${name} version ${version}, this verifier has ${own}`,
    );
}

/**
 * Runs the simulation of a receipt again, and compares every bit of the result.
 * @throws Difference
 */
export function checkRerun(receipt: SimulationReceipt): void {
  const { outputs } = receipt.content;
  const own = rerun(receipt);
  const { firstPassageDays, percentiles } = outputs;
  compare('liquidationProbability', outputs.liquidationProbability, own.liquidationProbability);
  compare('standardError', outputs.standardError, own.standardError);
  compare('upperBound95', outputs.upperBound95, own.upperBound95);
  for (const name of ['p5', 'p50', 'p95'] as const)
    compare(`percentiles.${name}`, percentiles?.[name] ?? null, own.percentiles?.[name] ?? null);
  compare('method', outputs.method, own.method);
  for (const name of ['p5', 'p10', 'p25', 'p50', 'p75'] as const) {
    const days = firstPassageDays && { days: firstPassageDays[name] };
    const ownDays = own.firstPassageDays && { days: own.firstPassageDays[name] };
    compare(`firstPassageDays.${name}`, JSON.stringify(days), JSON.stringify(ownDays ?? null));
  }
}

function rerun(receipt: SimulationReceipt): TaskResult {
  try {
    return simulate(taskOf(receipt));
  } catch (error) {
    // A task that the model refuses, such as a history without an asset of the position.
    throw new Difference('rerun_differs', error instanceof Error ? error.message : 'it cannot run again');
  }
}

function taskOf({ content, data }: SimulationReceipt): SimulationTask {
  const { model, parameters, inputs } = content;
  const { seed, paths, horizonDays } = parameters;
  const options = { seed, paths, horizonDays };
  const drift = parameters.drift.map(Number);
  const position = {
    collateral: inputs.collateral.map((leg) => ({
      ...amountOf(leg),
      liquidationThreshold: Number(leg.liquidationThreshold),
      // No model of a price path reads it.
      liquidationBonus: 0,
    })),
    debt: inputs.debt.map(amountOf),
  };
  const { assets } = data;
  if (model.name === 'fhs') {
    const { close, low, high } = dataWith(data, 'close');
    const history = { assets, close: numbers(close), low: numbers(low), high: numbers(high) };
    return { model: 'fhs', position, options, history, annualDrift: drift };
  }
  const { dailyCovariance } = dataWith(data, 'dailyCovariance');
  const market = { assets, dailyCovariance: numbers(dailyCovariance), dailyDrift: drift };
  return { model: 'gbm', position, options, market };
}

type DataWith<Name extends string> = Extract<SimulationData, Record<Name, unknown>>;

function dataWith<Name extends 'close' | 'dailyCovariance'>(
  data: SimulationData,
  name: Name,
): DataWith<Name> {
  if (name in data) return data as DataWith<Name>;
  throw new Difference('rerun_differs', `the data have no ${name}, which the model needs`);
}

function amountOf({ asset, amount, priceUsd }: SimulationContent['inputs']['debt'][number]): {
  asset: string;
  amount: number;
  priceUsd: number;
} {
  return { asset, amount: Number(amount), priceUsd: Number(priceUsd) };
}

const numbers = (rows: readonly (readonly string[])[]): number[][] => rows.map((row) => row.map(Number));

function compare(name: string, stated: string | null, own: number | string | null): void {
  const text = typeof own === 'number' ? numberText(own) : own;
  if (stated !== text)
    throw new Difference(
      'rerun_differs',
      `${name} is ${stated ?? 'none'}, the rerun gives ${text ?? 'none'}`,
    );
}
