import { HEALTH_FACTORS, type Forecast, type Model } from './forecasts';

const BINS = 10;

/** Mean of what was predicted and of what came, over some forecasts. */
export interface Reliability {
  forecasts: number;
  predicted: number;
  observed: number;
}

function reliability(forecasts: readonly Forecast[], model: Model): Reliability {
  const mean = (of: (forecast: Forecast) => number): number =>
    forecasts.reduce((sum, forecast) => sum + of(forecast), 0) / forecasts.length;
  return {
    forecasts: forecasts.length,
    predicted: mean(({ predicted }) => predicted[model]),
    observed: mean(({ observed }) => observed),
  };
}

/** Ten bins with equally many forecasts, from the least to the most probable. */
export function equalCountBins(forecasts: readonly Forecast[], model: Model): Reliability[] {
  const ordered = forecasts.toSorted((a, b) => a.predicted[model] - b.predicted[model]);
  const edge = (bin: number): number => Math.floor((bin * ordered.length) / BINS);
  return Array.from({ length: BINS }, (_, bin) =>
    reliability(ordered.slice(edge(bin), edge(bin + 1)), model),
  );
}

/** What one model reached at one horizon. */
export interface Calibration {
  all: Reliability;
  /** Σ share of the bin · |predicted − observed| over the ten bins. */
  expectedCalibrationError: number;
  /** Mean of (predicted − observed)². */
  brierScore: number;
  bins: Reliability[];
  /** In the order of `HEALTH_FACTORS`. */
  byHealthFactor: Reliability[];
}

export function calibrationOf(forecasts: readonly Forecast[], model: Model): Calibration {
  const bins = equalCountBins(forecasts, model);
  const error = bins.reduce(
    (sum, bin) => sum + (bin.forecasts / forecasts.length) * Math.abs(bin.predicted - bin.observed),
    0,
  );
  const squares = forecasts.reduce(
    (sum, { predicted, observed }) => sum + (predicted[model] - observed) ** 2,
    0,
  );
  return {
    all: reliability(forecasts, model),
    expectedCalibrationError: error,
    brierScore: squares / forecasts.length,
    bins,
    byHealthFactor: HEALTH_FACTORS.map((healthFactor) =>
      reliability(
        forecasts.filter((forecast) => forecast.healthFactor === healthFactor),
        model,
      ),
    ),
  };
}
