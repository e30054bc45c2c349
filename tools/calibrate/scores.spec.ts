import { equalCountBins, expectedCalibrationError, randomBits } from '@plimsoll/risk-math';
import { parseArguments } from './arguments';
import { HEALTH_FACTORS, type Forecast } from './forecasts';
import { perfectError } from './perfect-forecasts';
import { cellsOf } from './reliability';
import { calibrationError, sampleOf } from './sample';
import { scoresOf } from './scores';

const UNIT = 2 ** -32;
const WEEKS = 60;

/**
 * Forecasts of two assets. The outcome is drawn with the probability of fhs, and daily-step is always one
 * half.
 */
function forecastsWith(seed: number): Forecast[] {
  const random = randomBits(seed);
  return Array.from({ length: WEEKS }, (_, week) => 4 + 7 * week).flatMap((day) =>
    ['BTC', 'ETH'].flatMap((asset) =>
      HEALTH_FACTORS.map((healthFactor): Forecast => {
        const fhs = random() * UNIT;
        const predicted = { fhs, 'fhs-drift': 1 - fhs, gbm: fhs, 'daily-step': 0.5 };
        return {
          asset,
          day,
          horizonDays: 7,
          healthFactor,
          predicted,
          observed: random() * UNIT < fhs ? 1 : 0,
        };
      }),
    ),
  );
}

describe('scoresOf', () => {
  const scores = scoresOf(forecastsWith(1), 0, 1);

  it('has each score within its interval, and better scores for the better model', () => {
    for (const model of ['fhs', 'fhs-drift'] as const) {
      for (const score of ['brierScore', 'logScore'] as const) {
        const { value, low, high } = scores[model][score];
        expect(low).toBeLessThan(high);
        expect(value).toBeGreaterThan(low);
        expect(value).toBeLessThan(high);
      }
    }
    expect(scores.fhs.brierRatio.high).toBeLessThan(1);
    expect(scores['fhs-drift'].brierRatio.low).toBeGreaterThan(1);
    expect(scores['fhs-drift'].logScore.value).toBeGreaterThan(scores.fhs.logScore.value);
    expect(scores.fhs.sharpness).toBeCloseTo(Math.sqrt(1 / 12), 1);
    expect(scores['daily-step'].sharpness).toBe(0);
  });

  it('has the same intervals for the same seed', () => {
    expect(scoresOf(forecastsWith(1), 0, 1)).toEqual(scores);
  });
});

describe('calibrationError', () => {
  it('is the error of the ten bins, each date counted as often as it was drawn', () => {
    const forecasts = forecastsWith(2);
    const sample = sampleOf(forecasts, 'fhs');
    const once = new Uint32Array(sample.starts).fill(1);
    const errorOf = (all: readonly Forecast[]): number =>
      expectedCalibrationError(equalCountBins(cellsOf(all, 'fhs')));
    expect(calibrationError(sample, sample.observed, once)).toBeCloseTo(errorOf(forecasts), 12);
    const twice = new Uint32Array(sample.starts).fill(2);
    expect(calibrationError(sample, sample.observed, twice)).toBeCloseTo(
      errorOf([...forecasts, ...forecasts]),
      12,
    );
  });
});

describe('perfectError', () => {
  it('is the average error of true probabilities, and never that of wrong ones', () => {
    const sample = sampleOf(forecastsWith(3), 'fhs');
    const once = new Uint32Array(sample.starts).fill(1);
    const { mean, p95 } = perfectError(sample, 0, randomBits(1));
    expect(mean).toBeGreaterThan(0);
    expect(p95).toBeGreaterThan(mean);
    const wrong = sampleOf(forecastsWith(3), 'fhs-drift');
    expect(calibrationError(wrong, wrong.observed, once)).toBeGreaterThan(2 * p95);
  });

  it('grows when the assets move together, because they carry less information', () => {
    const sample = sampleOf(forecastsWith(4), 'fhs');
    const apart = perfectError(sample, 0, randomBits(1));
    expect(perfectError(sample, 1, randomBits(1)).mean).toBeGreaterThan(apart.mean);
  });
});

describe('parseArguments', () => {
  it('reads folder, assets and periods', () => {
    const args = [
      '--folder',
      '/x',
      '--assets',
      'ETH,BTC',
      '--periods',
      '2018-01-01:2018-12-31,2019-01-01:2019-06-30',
    ];
    expect(parseArguments(args, undefined)).toMatchObject({
      folder: '/x',
      assets: ['ETH', 'BTC'],
      periods: [
        { from: 17_532, to: 17_896 },
        { from: 17_897, to: 18_077 },
      ],
    });
    expect(parseArguments([], '/prices').folder).toBe('/prices');
  });

  it.each([
    [['--years', '3'], "Unknown option '--years'"],
    [['--folder'], "'--folder <value>' argument missing"],
    [[], 'Name the folder of daily prices'],
    [['--folder', '/x', '--periods', '2018'], 'is no period'],
    [['--folder', '/x', '--periods', '2018-01-01:2018-12-31,2018-12-31:2019-06-30'], 'overlap'],
    [['--shift', '7'], '--shift takes'],
  ])('refuses %j', (args, message) => {
    expect(() => parseArguments(args, undefined)).toThrow(message);
  });
});
