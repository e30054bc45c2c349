import { ScrambledSobol } from '../random/scrambled-sobol';
import { cholesky } from '../statistics/matrix';
import type { HealthModel } from './health-model';
import { BLOCK_PATHS } from './path-block';
import type { SimulationOptions } from './simulation';

/** Keeps the points at the horizon apart from those of the paths. */
const OTHER_SET = 0x5bd1e995;
/** So many points cost a millisecond and hold every percentile within 0.1 %. */
const MIN_POINTS = 8_192;

/**
 * Health factors at the horizon, unabsorbed: the joint law of the prices there is known, so it takes points of as many
 * dimensions as assets, and no paths. One for each path, but 8,192 at least.
 */
export function terminalHealth(model: HealthModel, options: SimulationOptions): Float64Array {
  const { horizonDays, seed } = options;
  const paths = Math.max(options.paths, MIN_POINTS);
  const size = model.assets.length;
  const factor = cholesky(model.covariance).map((row) => row.map((value) => value * Math.sqrt(horizonDays)));
  const sobol = new ScrambledSobol(size, paths, BLOCK_PATHS, seed ^ OTHER_SET);
  const normals = model.assets.map(() => new Float64Array(BLOCK_PATHS));
  const weighted = new Float64Array(BLOCK_PATHS);
  const debt = new Float64Array(BLOCK_PATHS);
  const health = new Float64Array(paths);
  for (let first = 0; first < paths; first += BLOCK_PATHS) {
    const count = Math.min(BLOCK_PATHS, paths - first);
    sobol.nextBlock(count);
    for (let f = 0; f < size; f += 1) sobol.fillNormals(f, normals[f]!);
    weighted.fill(model.constantWeightedUsd);
    debt.fill(model.constantDebtUsd);
    for (let asset = 0; asset < size; asset += 1) {
      const drift = model.logDrift[asset]! * horizonDays;
      for (let p = 0; p < count; p += 1) {
        let change = drift;
        for (let f = 0; f <= asset; f += 1) change += factor[asset]![f]! * normals[f]![p]!;
        const relative = Math.exp(change);
        weighted[p]! += model.weightedUsd[asset]! * relative;
        debt[p]! += model.debtUsd[asset]! * relative;
      }
    }
    for (let p = 0; p < count; p += 1) health[first + p] = weighted[p]! / debt[p]!;
  }
  return health;
}
