import { ScrambledSobol } from '../random/scrambled-sobol';
import { alignFirstColumn, cholesky } from '../statistics/matrix';
import { bridgeNodes, fillNode } from './brownian-bridge';
import { CrossingTracker } from './crossing';
import { healthKernel } from './health-kernels';
import type { HealthModel } from './health-model';
import { logLinearHealth, logLinearTouch, type LogLinearHealth } from './log-linear';
import { BLOCK_PATHS, pathBlock } from './path-block';
import type { SimulationOptions } from './simulation';

/** A first factor drawn further off than this many deviations would leave weights that say nothing. */
const MAX_TILT_DEVIATIONS = 8;

/**
 * Drift a day of the first factor under which the plane ends at the barrier on average; 0 when it is expected below it
 * anyway.
 */
function tiltTowardsBarrier(law: LogLinearHealth, days: number): number {
  const tilt = -(law.start + law.drift * days) / (law.deviation * days);
  return Math.max(Math.min(0, tilt), -MAX_TILT_DEVIATIONS / Math.sqrt(days));
}

/**
 * Probability that HF falls below 1 within the horizon, for any number of assets: daily steps from scrambled Sobol points in
 * bridge order, Brownian-bridge touch between the days, the factors turned so that the first runs along ln HF's tangent
 * plane, that factor drawn with a drift towards the barrier, and the plane's own touch, which has a closed form, as control
 * variate: P = P_plane + mean of (touch − touch of the plane) × likelihood ratio.
 *
 * HF must not be below 1 already. Bias: the local variance is held over each day, below 1e-4. Memory: 1 kB a day and asset.
 */
export function simulateTouch(
  model: HealthModel,
  options: SimulationOptions,
): { probability: number; standardError: number } {
  const { horizonDays: days, paths, seed } = options;
  const law = logLinearHealth(model, days);
  // Nothing that moves counts: HF drifts at most, and that is the plane's own law.
  if (law.deviation === 0) return { probability: logLinearTouch(law, days), standardError: 0 };
  const tilt = tiltTowardsBarrier(law, days);
  const factor = alignFirstColumn(cholesky(model.covariance), law.direction);
  const drift = model.logDrift.map((value, i) => value + factor[i]![0]! * tilt);
  const kernel = healthKernel({ ...model, factor, drift });

  const size = model.assets.length;
  const nodes = bridgeNodes(days);
  const sobol = new ScrambledSobol(size * days, paths, BLOCK_PATHS, seed);
  const block = pathBlock(size, size, days);
  const tracker = new CrossingTracker(law, tilt);
  const normals = new Float64Array(BLOCK_PATHS);

  let sum = 0;
  let squares = 0;
  for (let first = 0; first < paths; first += BLOCK_PATHS) {
    const count = Math.min(BLOCK_PATHS, paths - first);
    sobol.nextBlock(count);
    for (const [order, node] of nodes.entries()) {
      for (let f = 0; f < size; f += 1) {
        sobol.fillNormals(order * size + f, normals);
        fillNode(node, normals, block.factors[f]!, BLOCK_PATHS, count);
      }
    }
    kernel(block, 0, count);
    tracker.start(block, count);
    for (let day = 1; day <= days; day += 1) {
      kernel(block, day, count);
      tracker.step(block, day, count);
    }
    for (let p = 0; p < count; p += 1) {
      const value = tracker.difference[p]!;
      sum += value;
      squares += value * value;
    }
  }
  const mean = sum / paths;
  const probability = Math.min(1, Math.max(0, logLinearTouch(law, days) + mean));
  return { probability, standardError: Math.sqrt(Math.max(0, squares / paths - mean * mean) / paths) };
}
