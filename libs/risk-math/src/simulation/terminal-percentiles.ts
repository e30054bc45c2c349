import { ScrambledSobol } from '../random/scrambled-sobol';
import { alignFirstColumn, cholesky } from '../statistics/matrix';
import { normalInverse } from '../statistics/normal';
import { percentiles, type Percentiles } from '../statistics/quantile';
import type { HealthModel } from './health-model';
import { tangentNow, type LogLinearHealth } from './log-linear';
import { BLOCK_PATHS } from './path-block';
import type { SimulationOptions } from './simulation';

/** Keeps the points at the horizon apart from those of the paths. */
const OTHER_SET = 0x5bd1e995;
const MIN_POINTS = 4_096;
const MAX_POINTS = 16_384;

/** HF at the horizon, and what ln HF's tangent plane makes of the same points. */
interface TerminalSample {
  health: Float64Array;
  plane: Float64Array;
}

function sample(model: HealthModel, law: LogLinearHealth, options: SimulationOptions): TerminalSample {
  const { horizonDays, seed } = options;
  const points = Math.min(MAX_POINTS, Math.max(MIN_POINTS, options.paths));
  const size = model.assets.length;
  const factor = alignFirstColumn(cholesky(model.covariance), law.direction);
  const scale = Math.sqrt(horizonDays);
  const sobol = new ScrambledSobol(size, points, BLOCK_PATHS, seed ^ OTHER_SET);
  const row = (): Float64Array => new Float64Array(BLOCK_PATHS);
  const [weighted, debt] = [row(), row()];
  const normals = model.assets.map(row);
  const health = new Float64Array(points);
  const plane = new Float64Array(points);
  for (let first = 0; first < points; first += BLOCK_PATHS) {
    const count = Math.min(BLOCK_PATHS, points - first);
    sobol.nextBlock(count);
    normals.forEach((out, f) => sobol.fillNormals(f, out));
    weighted.fill(model.constantWeightedUsd);
    debt.fill(model.constantDebtUsd);
    for (let asset = 0; asset < size; asset += 1) {
      for (let p = 0; p < count; p += 1) {
        let change = 0;
        for (let f = 0; f < size; f += 1) change += factor[asset]![f]! * normals[f]![p]!;
        const relative = Math.exp(model.logDrift[asset]! * horizonDays + change * scale);
        weighted[p]! += model.weightedUsd[asset]! * relative;
        debt[p]! += model.debtUsd[asset]! * relative;
      }
    }
    const centre = law.start + law.drift * horizonDays;
    for (let p = 0; p < count; p += 1) {
      health[first + p] = weighted[p]! / debt[p]!;
      plane[first + p] = Math.exp(centre + law.deviation * scale * normals[0]![p]!);
    }
  }
  return { health, plane };
}

/**
 * Percentiles of HF at the horizon, unabsorbed. The joint law of the prices there is known, so it takes points of as many
 * dimensions as assets and no paths: one for each path, from 4,096 to 16,384. ln HF's tangent plane at today's prices, whose
 * percentiles are exact, serves as control: q = q_plane · (sampled q / sampled q of the plane).
 * Error, root mean square of p5 and p95 for three collaterals over 30 days: 0.06 %.
 */
export function terminalPercentiles(model: HealthModel, options: SimulationOptions): Percentiles {
  const law = tangentNow(model);
  if (!(law.deviation > 0)) {
    const constant = Math.exp(law.start + law.drift * options.horizonDays);
    return { p5: constant, p50: constant, p95: constant };
  }
  const { health, plane } = sample(model, law, options);
  const sampled = percentiles(health);
  const control = percentiles(plane);
  const exact = (quantile: number): number =>
    Math.exp(
      law.start +
        law.drift * options.horizonDays +
        law.deviation * Math.sqrt(options.horizonDays) * normalInverse(quantile),
    );
  return {
    p5: (exact(0.05) * sampled.p5) / control.p5,
    p50: (exact(0.5) * sampled.p50) / control.p50,
    p95: (exact(0.95) * sampled.p95) / control.p95,
  };
}
