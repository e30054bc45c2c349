import { createHash } from 'node:crypto';
import type { PositionDetail } from '@plimsoll/contracts';
import {
  type Json,
  type SimulationContent,
  type SimulationData,
  canonicalJson,
  numberText,
} from '@plimsoll/receipts';
import { MODEL_VERSIONS, type SimulationTask, type TaskResult } from '@plimsoll/risk-math';
import { version } from '../../../../package.json';
import type { HistoryBasis } from '../market/price-histories';

/** A simulation that ended. */
export interface SimulationRun {
  detail: Pick<PositionDetail, 'id' | 'chainId' | 'asOfBlock' | 'blockHash'>;
  isHypothetical: boolean;
  task: SimulationTask;
  basis: HistoryBasis;
  result: TaskResult;
}

/** The content of a receipt, with the data that it has the hash of. */
export interface ContentWithData {
  content: SimulationContent;
  data: SimulationData;
}

export function simulationContent({
  detail: { id, chainId, asOfBlock, blockHash },
  isHypothetical,
  task,
  basis: { historySource, historyWindow },
  result,
}: SimulationRun): ContentWithData {
  const data = dataOf(task);
  const { seed, paths, horizonDays } = task.options;
  const content: SimulationContent = {
    version: 1,
    kind: 'simulation',
    build: version,
    model: { name: task.model, version: MODEL_VERSIONS[task.model] },
    position: {
      id,
      chainId,
      block: { number: asOfBlock[chainId]!, hash: blockHash[chainId]! },
      isHypothetical,
    },
    parameters: { seed, paths, horizonDays, drift: texts(driftOf(task)) },
    inputs: {
      collateral: task.position.collateral.map(({ asset, amount, priceUsd, liquidationThreshold }) => ({
        asset,
        amount: numberText(amount),
        priceUsd: numberText(priceUsd),
        liquidationThreshold: numberText(liquidationThreshold),
      })),
      debt: task.position.debt.map(({ asset, amount, priceUsd }) => ({
        asset,
        amount: numberText(amount),
        priceUsd: numberText(priceUsd),
      })),
    },
    data: {
      hash: createHash('sha256')
        .update(canonicalJson(data as unknown as Json))
        .digest('hex'),
      sources: historySource,
      from: historyWindow.from,
      to: historyWindow.to,
    },
    outputs: outputsOf(result),
  };
  return { content, data };
}

function driftOf(task: SimulationTask): readonly number[] {
  return task.model === 'fhs' ? task.annualDrift : (task.market.dailyDrift ?? []);
}

function dataOf(task: SimulationTask): SimulationData {
  if (task.model === 'gbm') {
    const { assets, dailyCovariance } = task.market;
    return { assets, dailyCovariance: dailyCovariance.map(texts) };
  }
  const { assets, close, low, high } = task.history;
  return { assets, close: close.map(texts), low: low.map(texts), high: high.map(texts) };
}

function outputsOf(result: TaskResult): SimulationContent['outputs'] {
  const { liquidationProbability, standardError, upperBound95, percentiles, method } = result;
  return {
    liquidationProbability: numberText(liquidationProbability),
    standardError: numberText(standardError),
    upperBound95: upperBound95 === null ? null : numberText(upperBound95),
    percentiles: percentiles && {
      p5: numberText(percentiles.p5),
      p50: numberText(percentiles.p50),
      p95: numberText(percentiles.p95),
    },
    method,
    firstPassageDays: result.firstPassageDays ?? null,
  };
}

const texts = (values: ArrayLike<number>): string[] => Array.from(values, numberText);
