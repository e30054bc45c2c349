import { logNormalCdf, normalCdf, normalInverse } from '../statistics/normal';
import { DAYS_PER_YEAR } from '../statistics/returns';

/** Drift and variance of ln HF per year. */
export interface LogHealthProcess {
  drift: number;
  variance: number;
}

/** A log-normal price: volatility per √year and drift per year (0: the price is a martingale). */
export interface PriceLaw {
  sigma: number;
  mu?: number;
}

/**
 * ln HF of one collateral against one debt: ν = (μC − σC²/2) − (μD − σD²/2), s² = σC² + σD² − 2ρσCσD. A
 * stable side has sigma 0.
 */
export function ratioProcess(collateral: PriceLaw, debt: PriceLaw, correlation: number): LogHealthProcess {
  const { sigma: c, mu: muC = 0 } = collateral;
  const { sigma: d, mu: muD = 0 } = debt;
  return {
    drift: muC - (c * c) / 2 - (muD - (d * d) / 2),
    // Equal volatilities at correlation 1 cancel to a rounding error that may be negative.
    variance: Math.max(0, c * c + d * d - 2 * correlation * c * d),
  };
}

/**
 * Probability that a Brownian motion from `distance` > 0 with this total drift νT and total variance s²T
 * touches 0 within the horizon: Φ((−b − νT)/(s√T)) + exp(−2νb/s²)·Φ((−b + νT)/(s√T)). 1 when distance ≤ 0.
 * With a variance of 0 it is 1 only if the drift leads to 0. Error: absolute 1e-14. Source: the reflection
 * principle; Harrison, Brownian Motion and Stochastic Flow Systems (1985), 1.8.
 */
export function barrierTouch(distance: number, totalDrift: number, totalVariance: number): number {
  if (distance <= 0) return 1;
  if (totalVariance <= 0) return distance + totalDrift <= 0 ? 1 : 0;
  const deviation = Math.sqrt(totalVariance);
  const reflected = (-2 * totalDrift * distance) / totalVariance;
  const x = (-distance + totalDrift) / deviation;
  const direct = normalCdf((-distance - totalDrift) / deviation);
  // The factor overflows while Φ underflows at large distances, so their logarithms are added.
  const mirror =
    reflected > 300 || x < -30 ? Math.exp(reflected + logNormalCdf(x)) : Math.exp(reflected) * normalCdf(x);
  return Math.min(1, direct + mirror);
}

/**
 * Probability that the health factor falls below 1 within `days` under continuous monitoring; 0 without debt
 * (null), 1 when HF < 1. Exact for one collateral against one debt, error absolute 1e-14.
 */
export function firstPassageProbability(
  healthFactor: number | null,
  process: LogHealthProcess,
  days: number,
): number {
  if (healthFactor === null) return 0;
  if (healthFactor < 1) return 1;
  const years = days / DAYS_PER_YEAR;
  // At exactly 1 the position is not liquidatable yet. If the variance is 0, price alone never causes a
  // liquidation.
  if (healthFactor === 1 && process.variance === 0 && process.drift >= 0) return 0;
  return barrierTouch(Math.log(healthFactor), process.drift * years, process.variance * years);
}

/** Quantile of HF at the horizon, absorbed or not: HF·exp(νT + s√T·Φ⁻¹(q)). Error: relative 1e-14. */
export function terminalHealthFactor(
  healthFactor: number,
  process: LogHealthProcess,
  days: number,
  quantile: number,
): number {
  const years = days / DAYS_PER_YEAR;
  const spread = process.variance === 0 ? 0 : Math.sqrt(process.variance * years) * normalInverse(quantile);
  return healthFactor * Math.exp(process.drift * years + spread);
}

/** The longest horizon of the library. */
const MAX_DAYS = 3_650;
/** 3,650 / 2⁸⁰ is far below the rounding error of any result. */
const HALVINGS = 80;

/**
 * The smallest t in days with P(first passage ≤ t) ≥ quantile, by default the median. 0 when HF < 1, null
 * without debt and when it is not reached within 3,650 days. By bisection, error: relative 1e-14 of the days.
 */
export function daysToLiquidation(
  healthFactor: number | null,
  process: LogHealthProcess,
  quantile = 0.5,
): number | null {
  if (healthFactor === null) return null;
  if (healthFactor < 1) return 0;
  const isReached = (days: number): boolean =>
    firstPassageProbability(healthFactor, process, days) >= quantile;
  if (!isReached(MAX_DAYS)) return null;
  let low = 0;
  let high = MAX_DAYS;
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (isReached(middle)) high = middle;
    else low = middle;
  }
  return high;
}
