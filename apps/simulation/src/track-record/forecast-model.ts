import { Injectable } from '@nestjs/common';
import type { PositionV1 } from '@plimsoll/contracts';
import { MODEL_VERSIONS } from '@plimsoll/risk-math';
import { LiquidationForecaster } from '../simulate/liquidation-forecaster';
import { heldPosition } from './tracked-position';

/** The model that is recorded: the default of POST /v1/simulate/monte-carlo. */
export const RECORDED_MODEL = 'fhs';
/**
 * Increased whenever the model returns another probability for the same position and prices. Figures of two
 * versions are never mixed. forecast-model.spec.ts fails when a change forgets it.
 */
export const MODEL_VERSION = MODEL_VERSIONS[RECORDED_MODEL];
/** The horizons that are recorded, days. */
export const HORIZONS_DAYS = [1, 7, 30] as const;

/** The track record has the share of one account. */
const TRACK_RECORD = 'track-record';

/** The same number as in the risk score. */
const ITERATIONS = 5_000;
/** The value in the log score for a probability of 0 or 1: half a path. */
export const LOG_SCORE_FLOOR = 0.5 / ITERATIONS;

export interface RecordedProbability {
  probability: number;
  /** Depends only on the number of paths. */
  standardError: number;
}

/** The liquidation probability of a position, the same figure that clients get. */
@Injectable()
export class ForecastModel {
  constructor(private readonly forecaster: LiquidationForecaster) {}

  /** @throws upstream_unavailable naming the assets without history, or with a full queue; upstream_timeout */
  async probability(
    position: PositionV1,
    horizonDays: number,
    left: AbortSignal,
  ): Promise<RecordedProbability> {
    const request = { model: RECORDED_MODEL, horizonDays, iterations: ITERATIONS } as const;
    const { result } = await this.forecaster.run(heldPosition(position), request, {
      accountId: TRACK_RECORD,
      left,
    });
    return { probability: result.liquidationProbability, standardError: result.standardError };
  }
}
