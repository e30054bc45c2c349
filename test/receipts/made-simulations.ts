import type { SimulationReceipt } from '@plimsoll/receipts';
import { type SimulationTask, simulate } from '@plimsoll/risk-math';
import { riskPosition } from '@plimsoll/risk-position';
import { Covariances } from '../../apps/simulation/src/market/covariances';
import { PriceHistories } from '../../apps/simulation/src/market/price-histories';
import { simulationContent } from '../../apps/simulation/src/receipts/simulation-content';
import { prepareSimulation } from '../../apps/simulation/src/simulate/simulation-task';
import { sampleCovariance, sampleHistory, samplePosition } from '../../apps/simulation/test/samples';
import type { Signer } from './made-receipts';

const SYMBOLS = ['ETH', 'BTC', 'USDC'];
const detail = samplePosition('simulated', { WETH: 10, WBTC: 0.2 }, { USDC: 30_000 });
const BASIS = {
  historySource: ['coingecko' as const],
  historyWindow: { from: '2025-11-20', to: '2026-11-20', days: 365 },
};

/** A simulation of a position of three assets. */
export function simulationTask(model: 'fhs' | 'gbm'): SimulationTask {
  const [histories, covariances] = [new PriceHistories(), new Covariances()];
  for (const symbol of SYMBOLS) histories.apply(symbol, sampleHistory(symbol));
  covariances.apply(sampleCovariance(SYMBOLS));
  const request = { model, horizonDays: 30, iterations: 2_000 };
  return prepareSimulation(detail, riskPosition(detail), request, histories, covariances).task;
}

/** The receipt of a simulation, as the services make it. */
export function simulationReceipt(signer: Signer, task: SimulationTask): SimulationReceipt {
  const run = { detail, isHypothetical: false, task, basis: BASIS, result: simulate(task) };
  const { content, data } = simulationContent(run);
  return { ...signer.sign(content), data };
}
