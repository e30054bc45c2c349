/** σ²ₜ₊₁ = ω + α·r²ₜ + β·σ²ₜ with ω = (1 − α − β)·target. */
export interface GarchParameters {
  alpha: number;
  beta: number;
  /** Long-run variance of a daily return. */
  target: number;
}

/** The fixed weights of the model. The target is the history's own variance. */
export const GARCH_ALPHA = 0.06;
export const GARCH_BETA = 0.92;

/** The output of the filter for a history. */
export interface GarchState {
  parameters: GarchParameters;
  /** σ of each day, known before its return. */
  deviations: Float64Array;
  /** Variance of the day after the history. */
  next: number;
}

/**
 * Runs GARCH(1,1) over daily log returns about 0, oldest first. It starts at the target, which is their mean
 * square: variance targeting, without a fit. Source: T. Bollerslev (1986); R. Engle and J. Mezrich (1996)
 * for the target.
 * @throws RangeError without returns, and when all are 0
 */
export function garchFilter(
  logReturns: ArrayLike<number>,
  alpha = GARCH_ALPHA,
  beta = GARCH_BETA,
): GarchState {
  let squares = 0;
  for (let day = 0; day < logReturns.length; day += 1) squares += logReturns[day]! ** 2;
  const target = squares / logReturns.length;
  if (!(target > 0)) throw new RangeError('The history never moves. A constant price needs no filter.');
  const omega = (1 - alpha - beta) * target;
  const deviations = new Float64Array(logReturns.length);
  let variance = target;
  for (let day = 0; day < logReturns.length; day += 1) {
    deviations[day] = Math.sqrt(variance);
    variance = omega + alpha * logReturns[day]! ** 2 + beta * variance;
  }
  return { parameters: { alpha, beta, target }, deviations, next: variance };
}
