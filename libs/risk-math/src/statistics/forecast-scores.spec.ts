import fc from 'fast-check';
import { randomBits } from '../random/random';
import {
  type ForecastCell,
  type ScoredForecast,
  brierScore,
  calibratedCalibrationError,
  equalCountBins,
  expectedCalibrationError,
  forecastCells,
  logScore,
} from './forecast-scores';

const forecast = fc.record({
  probability: fc.double({ min: 0, max: 1, noNaN: true }),
  happened: fc.boolean(),
});
const forecasts = fc.array(forecast, { minLength: 1, maxLength: 200 });
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** E|X − Σp| by the exact distribution of X, a sum of independent outcomes. */
function exactMeanDeviation(probabilities: readonly number[]): number {
  let distribution = [1];
  for (const p of probabilities) {
    const next = distribution.map((mass) => mass * (1 - p));
    next.push(0);
    distribution.forEach((mass, k) => (next[k + 1]! += mass * p));
    distribution = next;
  }
  const mean = sum(probabilities);
  return sum(distribution.map((mass, k) => mass * Math.abs(k - mean)));
}

const oneBin = (probabilities: readonly number[]): ForecastCell[] =>
  equalCountBins(forecastCells(probabilities.map((probability) => ({ probability, happened: false }))), 1);

describe('scores of forecasts', () => {
  it('Brier: 0 for a certain event that happened, 1 for one that did not, and the mean of both', () => {
    const right: ScoredForecast = { probability: 1, happened: true };
    const wrong: ScoredForecast = { probability: 0, happened: true };
    expect(brierScore([right])).toBe(0);
    expect(brierScore([wrong])).toBe(1);
    expect(brierScore([right, wrong])).toBe(0.5);
    expect(brierScore([{ probability: 0.3, happened: false }])).toBeCloseTo(0.09, 15);
  });

  it("log score: −ln of the outcome's probability, bounded by the floor", () => {
    expect(logScore([{ probability: 0.25, happened: true }], 1e-4)).toBeCloseTo(Math.log(4), 12);
    expect(logScore([{ probability: 0, happened: true }], 1e-4)).toBeCloseTo(Math.log(1e4), 9);
  });

  it('the true probability has the best expected Brier and log score', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (truth, other) => {
          const expected = (score: (each: ScoredForecast[]) => number, probability: number): number =>
            truth * score([{ probability, happened: true }]) +
            (1 - truth) * score([{ probability, happened: false }]);
          expect(expected(brierScore, truth)).toBeLessThanOrEqual(expected(brierScore, other) + 1e-12);
          const log = (each: ScoredForecast[]): number => logScore(each, 1e-4);
          expect(expected(log, truth)).toBeLessThanOrEqual(expected(log, other) + 1e-12);
        },
      ),
    );
  });
});

describe('equalCountBins', () => {
  it('puts every forecast, in order of probability, into bins whose sizes differ by at most one', () => {
    fc.assert(
      fc.property(forecasts, (given) => {
        const bins = equalCountBins(forecastCells(given));
        expect(sum(bins.map((bin) => bin.forecasts))).toBe(given.length);
        expect(sum(bins.map((bin) => bin.events))).toBe(given.filter((each) => each.happened).length);
        const means = bins.map((bin) => bin.sumProbability / bin.forecasts);
        means.slice(1).forEach((mean, at) => expect(mean).toBeGreaterThanOrEqual(means[at]! - 1e-12));
        const counts = bins.map((bin) => bin.forecasts);
        if (given.length >= 10) expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('gives about the same calibration error over cells of similar probabilities as over single forecasts', () => {
    const bits = randomBits(7);
    const uniform = (): number => bits() / 2 ** 32;
    const given = Array.from({ length: 20_000 }, () => {
      const probability = uniform() ** 4;
      return { probability, happened: uniform() < probability * 0.7 };
    });
    const cells = new Map<number, ForecastCell>();
    for (const single of forecastCells(given)) {
      const key = Math.floor(Math.sqrt(single.sumProbability) * 100);
      const known = cells.get(key) ?? { forecasts: 0, events: 0, sumProbability: 0, sumVariance: 0 };
      cells.set(key, {
        forecasts: known.forecasts + 1,
        events: known.events + single.events,
        sumProbability: known.sumProbability + single.sumProbability,
        sumVariance: known.sumVariance + single.sumVariance,
      });
    }
    const exact = expectedCalibrationError(equalCountBins(forecastCells(given)));
    const summed = expectedCalibrationError(equalCountBins([...cells.values()]));
    expect(exact).toBeGreaterThan(0.05);
    expect(Math.abs(summed - exact)).toBeLessThan(0.002);
  });
});

describe('calibration error', () => {
  it('is between 0 and 1, 0 if each bin happened as forecast, and at least the error of the mean', () => {
    fc.assert(
      fc.property(forecasts, (given) => {
        const bins = equalCountBins(forecastCells(given));
        const error = expectedCalibrationError(bins);
        const bias = sum(given.map(({ probability, happened }) => probability - (happened ? 1 : 0)));
        expect(error).toBeGreaterThanOrEqual(Math.abs(bias) / given.length - 1e-12);
        expect(error).toBeLessThanOrEqual(1 + 1e-12);
        const asForecast = bins.map((bin) => ({ ...bin, events: bin.sumProbability }));
        expect(expectedCalibrationError(asForecast)).toBe(0);
      }),
    );
  });

  it('of a calibrated forecast is exact if the forecasts of a bin are equal', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        (n, p) => {
          const probabilities = Array.from({ length: n }, () => p);
          const expected = exactMeanDeviation(probabilities) / n;
          expect(calibratedCalibrationError(oneBin(probabilities)) / expected).toBeCloseTo(1, 6);
        },
      ),
    );
  });

  it('of a calibrated forecast is within a tenth for both narrow and wide bins', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.02, max: 0.5, noNaN: true }), { minLength: 40, maxLength: 150 }),
        (probabilities) => {
          const expected = exactMeanDeviation(probabilities) / probabilities.length;
          expect(Math.abs(calibratedCalibrationError(oneBin(probabilities)) / expected - 1)).toBeLessThan(
            0.1,
          );
        },
      ),
    );
  });

  it('of a calibrated forecast is 0 if no outcome is open', () => {
    expect(calibratedCalibrationError(oneBin([0, 0, 0]))).toBe(0);
    expect(calibratedCalibrationError(oneBin([1, 1]))).toBe(0);
  });

  it('of drawn outcomes has the expected mean', () => {
    const bits = randomBits(11);
    const uniform = (): number => bits() / 2 ** 32;
    const probabilities = Array.from({ length: 500 }, () => uniform() ** 3);
    const draw = (): ForecastCell[] =>
      equalCountBins(
        forecastCells(
          probabilities.map((probability) => ({ probability, happened: uniform() < probability })),
        ),
      );
    const errors = Array.from({ length: 400 }, () => expectedCalibrationError(draw()));
    const mean = sum(errors) / errors.length;
    expect(Math.abs(mean / calibratedCalibrationError(draw()) - 1)).toBeLessThan(0.05);
  });
});
