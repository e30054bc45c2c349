import { equalCountBins, type ForecastCell, forecastCells } from '@plimsoll/risk-math';
import { HEALTH_FACTORS, type Forecast, type Model } from './forecasts';

/** Mean prediction and mean outcome over some forecasts. */
export interface Reliability {
  forecasts: number;
  predicted: number;
  observed: number;
}

function sumOf(cells: readonly ForecastCell[]): Reliability {
  const total = (of: (cell: ForecastCell) => number): number =>
    cells.reduce((sum, cell) => sum + of(cell), 0);
  const forecasts = total((cell) => cell.forecasts);
  return {
    forecasts,
    predicted: total(({ sumProbability }) => sumProbability) / forecasts,
    observed: total(({ events }) => events) / forecasts,
  };
}

/** A cell for each forecast of a model. */
export function cellsOf(forecasts: readonly Forecast[], model: Model): ForecastCell[] {
  return forecastCells(
    forecasts.map(({ predicted, observed }) => ({
      probability: predicted[model],
      happened: observed === 1,
    })),
  );
}

/** The scores of one model at one horizon. */
export interface Calibration {
  all: Reliability;
  /** Ten with equally many forecasts, from the least to the most probable. */
  bins: Reliability[];
  /** In the order of `HEALTH_FACTORS`. */
  byHealthFactor: Reliability[];
}

export function calibrationOf(forecasts: readonly Forecast[], model: Model): Calibration {
  const cells = cellsOf(forecasts, model);
  return {
    all: sumOf(cells),
    bins: equalCountBins(cells).map((bin) => sumOf([bin])),
    byHealthFactor: HEALTH_FACTORS.map((healthFactor) =>
      sumOf(
        cellsOf(
          forecasts.filter((forecast) => forecast.healthFactor === healthFactor),
          model,
        ),
      ),
    ),
  };
}
