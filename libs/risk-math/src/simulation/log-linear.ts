import { barrierTouch } from '../first-passage/first-passage';
import { apply, applyTransposed, cholesky, dot } from '../statistics/matrix';
import type { HealthModel } from './health-model';

const MAX_ITERATIONS = 50;

/** ln HF replaced by its tangent plane: a Brownian motion with a known law. Per day. */
export interface LogLinearHealth {
  /** The start of the replaced process, near ln HF. */
  start: number;
  drift: number;
  deviation: number;
  /** Direction of the plane in the space of the independent factors (Cholesky of the covariance). */
  direction: number[];
}

/** ln HF and its gradient at log price changes x. */
function logHealth(model: HealthModel, x: readonly number[]): { value: number; gradient: number[] } {
  const relative = x.map(Math.exp);
  const weighted = model.constantWeightedUsd + dot(model.weightedUsd, relative);
  const debt = model.constantDebtUsd + dot(model.debtUsd, relative);
  return {
    value: Math.log(weighted / debt),
    gradient: relative.map((r, i) => r * (model.weightedUsd[i]! / weighted - model.debtUsd[i]! / debt)),
  };
}

function tangent(model: HealthModel, factor: number[][], x: readonly number[]): LogLinearHealth {
  const { value, gradient } = logHealth(model, x);
  const direction = applyTransposed(factor, gradient);
  return {
    start: value - dot(gradient, x),
    drift: dot(gradient, model.logDrift),
    deviation: Math.hypot(...direction),
    direction,
  };
}

/** The tangent plane of ln HF at today's prices. */
export function tangentNow(model: HealthModel): LogLinearHealth {
  return tangent(
    model,
    cholesky(model.covariance),
    model.assets.map(() => 0),
  );
}

/**
 * The tangent plane of ln HF at the most likely point of a liquidation: the point of HF = 1 nearest to the
 * expected one in the metric of the covariance over the horizon. The iteration of Hasofer and Lind
 * (first-order reliability method) finds it. If that does not converge, the tangent at today's prices is
 * used, which is less accurate.
 */
export function logLinearHealth(model: HealthModel, days: number): LogLinearHealth {
  const factor = cholesky(model.covariance);
  const expected = model.logDrift.map((drift) => drift * days);
  const scale = Math.sqrt(days);
  const at = (y: readonly number[]): number[] =>
    apply(factor, y).map((value, i) => expected[i]! + value * scale);
  let y = expected.map(() => 0);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration += 1) {
    const { value, gradient } = logHealth(model, at(y));
    const slope = applyTransposed(factor, gradient).map((component) => component * scale);
    const steepness = dot(slope, slope);
    if (!(steepness > 0) || !Number.isFinite(value)) break;
    const step = (dot(slope, y) - value) / steepness;
    const next = slope.map((component) => component * step);
    const moved = Math.hypot(...next.map((component, i) => component - y[i]!));
    y = next;
    if (moved < 1e-9) return tangent(model, factor, at(y));
  }
  return tangentNow(model);
}

/** Probability that the replaced process falls below 0 within `days`. Error: as `barrierTouch`. */
export function logLinearTouch(linear: LogLinearHealth, days: number): number {
  return barrierTouch(linear.start, linear.drift * days, linear.deviation ** 2 * days);
}
