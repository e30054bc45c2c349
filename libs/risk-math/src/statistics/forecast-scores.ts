const BINS = 10;
/** Stirling's series is exact to 1e-12 from here on. */
const STIRLING_FROM = 32;

/** A probability with its outcome. */
export interface ScoredForecast {
  probability: number;
  happened: boolean;
}

/** Forecasts of nearly the same probability, summed. A single forecast is a cell too. */
export interface ForecastCell {
  forecasts: number;
  events: number;
  sumProbability: number;
  /** Σ p(1 − p). */
  sumVariance: number;
}

/** A cell for each forecast. */
export function forecastCells(forecasts: readonly ScoredForecast[]): ForecastCell[] {
  return forecasts.map(({ probability, happened }) => ({
    forecasts: 1,
    events: happened ? 1 : 0,
    sumProbability: probability,
    sumVariance: probability * (1 - probability),
  }));
}

/** Mean of (p − outcome)²: 0 is perfect, and a constant 0.5 gets 0.25. NaN without forecasts. */
export function brierScore(forecasts: readonly ScoredForecast[]): number {
  const sum = forecasts.reduce(
    (total, { probability, happened }) => total + (probability - (happened ? 1 : 0)) ** 2,
    0,
  );
  return sum / forecasts.length;
}

/**
 * Mean of −ln of the outcome's probability. NaN without forecasts.
 * @param floor a probability counts as at least this and at most 1 − floor, so that one surprise is not
 * infinite
 */
export function logScore(forecasts: readonly ScoredForecast[], floor: number): number {
  const sum = forecasts.reduce((total, { probability, happened }) => {
    const given = Math.min(1 - floor, Math.max(floor, probability));
    return total - Math.log(happened ? given : 1 - given);
  }, 0);
  return sum / forecasts.length;
}

/**
 * Up to ten bins with about equally many forecasts, from the least to the most probable. No cell is split.
 * Empty bins are omitted.
 */
export function equalCountBins(cells: readonly ForecastCell[], bins = BINS): ForecastCell[] {
  const filled = cells.filter(({ forecasts }) => forecasts > 0);
  const total = filled.reduce((sum, { forecasts }) => sum + forecasts, 0);
  const meanOf = ({ sumProbability, forecasts }: ForecastCell): number => sumProbability / forecasts;
  const binned = Array.from({ length: bins }, () => ({
    forecasts: 0,
    events: 0,
    sumProbability: 0,
    sumVariance: 0,
  }));
  let before = 0;
  for (const cell of filled.toSorted((a, b) => meanOf(a) - meanOf(b))) {
    const middle = before + cell.forecasts / 2;
    const bin = binned[Math.min(bins - 1, Math.floor((bins * middle) / total))]!;
    bin.forecasts += cell.forecasts;
    bin.events += cell.events;
    bin.sumProbability += cell.sumProbability;
    bin.sumVariance += cell.sumVariance;
    before += cell.forecasts;
  }
  return binned.filter(({ forecasts }) => forecasts > 0);
}

/** Σ share of the bin · |mean forecast − observed rate|. NaN without forecasts. */
export function expectedCalibrationError(bins: readonly ForecastCell[]): number {
  return perForecast(bins, ({ events, sumProbability }) => Math.abs(events - sumProbability));
}

/**
 * The average calibration error of a perfectly calibrated forecast on these bins, for independent outcomes.
 * Exact if all forecasts of a bin are equal. Otherwise the binomial deviation is scaled to the variance of
 * the bin.
 */
export function calibratedCalibrationError(bins: readonly ForecastCell[]): number {
  return perForecast(bins, ({ forecasts, sumProbability, sumVariance }) => {
    const probability = sumProbability / forecasts;
    const binomialVariance = forecasts * probability * (1 - probability);
    // Rounding can put a mean of exactly 0 or 1 slightly outside.
    if (!(binomialVariance > 0)) return 0;
    return (
      binomialMeanDeviation(forecasts, probability) *
      Math.sqrt(Math.min(1, Math.max(0, sumVariance) / binomialVariance))
    );
  });
}

function perForecast(bins: readonly ForecastCell[], deviation: (bin: ForecastCell) => number): number {
  const total = bins.reduce((sum, { forecasts }) => sum + forecasts, 0);
  return bins.reduce((sum, bin) => sum + deviation(bin), 0) / total;
}

/**
 * E|X − np| of a binomial X, by de Moivre's formula. Source: Diaconis and Zabell, Closed form summation
 * (1991).
 */
function binomialMeanDeviation(n: number, p: number): number {
  const k = Math.min(n, Math.floor(n * p) + 1);
  const logTerm =
    logFactorial(n) - logFactorial(k) - logFactorial(n - k) + k * Math.log(p) + (n - k + 1) * Math.log1p(-p);
  return 2 * k * Math.exp(logTerm);
}

function logFactorial(n: number): number {
  if (n < STIRLING_FROM) {
    let sum = 0;
    for (let factor = 2; factor <= n; factor += 1) sum += Math.log(factor);
    return sum;
  }
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);
}
