import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { type PositionV1, Problem } from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import { SimulationConfig } from '../config';
import { forecastsMade } from '../metrics';
import { SimulationPool } from '../pool/simulation-pool';
import type { NewForecast } from './forecast-content';
import { ForecastModel, HORIZONS_DAYS, MODEL_VERSION, RECORDED_MODEL } from './forecast-model';
import { ForecastsRepository } from './forecasts.repository';
import { TrackedPositionsRepository } from './tracked-positions.repository';

/** Positions that one call forecasts at most. */
const POSITIONS_PER_BATCH = 20;
/** The delay before the next check for a free thread. */
const BUSY_WAIT_MS = 50;

/** Forecasts each position of the panel once in each slot of time. */
@Injectable()
export class ForecastMaker {
  private readonly logger = new Logger('track-record');

  constructor(
    private readonly config: SimulationConfig,
    private readonly clock: Clock,
    private readonly positions: TrackedPositionsRepository,
    private readonly forecasts: ForecastsRepository,
    private readonly model: ForecastModel,
    private readonly pool: SimulationPool,
  ) {}

  /** Creates some of the forecasts of this slot. Returns whether more are due. */
  async make(signal: AbortSignal): Promise<boolean> {
    const { TRACK_RECORD_POSITIONS: size, TRACK_RECORD_INTERVAL_MS: intervalMs } = this.config;
    const slot = new Date(Math.floor(this.clock.now() / intervalMs) * intervalMs);
    const due = await this.positions.withoutForecast(size, slot, HORIZONS_DAYS.length);
    let made = 0;
    for (const position of due) {
      if (signal.aborted || made === POSITIONS_PER_BATCH) break;
      // A position that cannot be forecast now does not delay the others. The next round tries it again.
      if (await this.forecast(position, slot, signal)) made += 1;
    }
    return made === POSITIONS_PER_BATCH;
  }

  private async forecast(position: PositionV1, slot: Date, signal: AbortSignal): Promise<boolean> {
    const made: NewForecast[] = [];
    try {
      for (const horizonDays of HORIZONS_DAYS) {
        await this.untilIdle(signal);
        const probability = await this.model.probability(position, horizonDays, signal);
        made.push({ ...probability, horizonDays, model: RECORDED_MODEL, modelVersion: MODEL_VERSION });
      }
    } catch (error) {
      if (!(error instanceof Problem) || signal.aborted) throw error;
      forecastsMade.inc({ result: 'no_model' });
      this.logger.debug({ msg: 'a position cannot be forecast', positionId: position.id, err: error });
      return false;
    }
    const isStored = await this.forecasts.add(position, slot, this.clock.now(), made);
    forecastsMade.inc({ result: isStored ? 'stored' : 'changed' });
    return isStored;
  }

  /** Requests of clients go first. */
  private async untilIdle(signal: AbortSignal): Promise<void> {
    while (!this.pool.isIdle) await delay(BUSY_WAIT_MS, undefined, { signal });
  }
}
