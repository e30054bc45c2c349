import { normalInverse, normalPdf } from './normal';
import { quantileSorted, sorted, type QuantileType } from './quantile';
import { mean, standardDeviation } from './returns';

const CONFIDENCE = 0.95;

/**
 * Historical value at risk of daily returns, positive = loss, in the unit of the returns: −quantile(1 − confidence).
 * Negative when even that quantile is a gain. @throws RangeError when empty or when a return is not a number
 */
export function historicalVar(
  returns: ArrayLike<number>,
  confidence = CONFIDENCE,
  type: QuantileType = 'linear',
): number {
  return -quantileSorted(sorted(returns), tail(confidence), type);
}

/**
 * Expected shortfall after Acerbi and Tasche, On the Coherence of Expected Shortfall (2002): the mean of the worst n·α
 * returns, the last of them in part, positive = loss. @throws RangeError when empty or when a return is not a number
 */
export function expectedShortfall(returns: ArrayLike<number>, confidence = CONFIDENCE): number {
  const ordered = sorted(returns);
  const size = ordered.length * tail(confidence);
  const whole = Math.floor(size);
  let sum = 0;
  for (let i = 0; i < whole; i += 1) sum += ordered[i]!;
  if (whole < ordered.length) sum += (size - whole) * ordered[whole]!;
  return -sum / size;
}

/** Mean of the returns at or below the linear quantile, positive = loss: the other common convention, for comparison. */
export function tailMean(returns: ArrayLike<number>, confidence = CONFIDENCE): number {
  const ordered = sorted(returns);
  const edge = quantileSorted(ordered, tail(confidence));
  return -mean(ordered.filter((value) => value <= edge));
}

/** VaR and CVaR under a normal law with the returns' mean (or a given one) and sample deviation, positive = loss. */
export function parametricVar(
  returns: ArrayLike<number>,
  confidence = CONFIDENCE,
  average = mean(returns),
): { valueAtRisk: number; expectedShortfall: number } {
  const z = normalInverse(tail(confidence));
  const deviation = standardDeviation(returns);
  return {
    valueAtRisk: -(average + z * deviation),
    expectedShortfall: -average + (deviation * normalPdf(z)) / tail(confidence),
  };
}

/** 1 − confidence without the rounding of the subtraction at the usual two decimals. */
function tail(confidence: number): number {
  return Math.round((1 - confidence) * 1e12) / 1e12;
}
