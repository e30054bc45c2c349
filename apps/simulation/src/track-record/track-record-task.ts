import { Inject, Injectable } from '@nestjs/common';
import { consumerProgress, type PartitionProgress } from '@plimsoll/event-bus';
import { PeriodicService, kafkaSettings, withAdvisoryLock, Clock } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { Pool } from 'pg';
import { SimulationConfig } from '../config';
import { CalibrationKeeper } from './calibration-keeper';
import { HORIZONS_DAYS, LOG_SCORE_FLOOR } from './forecast-model';
import { ForecastMaker } from './forecast-maker';
import { ForecastSigner } from './forecast-signer';
import { ForecastsRepository, LATE_MS, STALE_MS } from './forecasts.repository';
import { OperatorAlerts } from './operator-alerts';
import { TrackedPositionsRepository } from './tracked-positions.repository';

/**
 * Reports the time up to which all messages of the log have been processed. A busy topic always grows, so its
 * end of one round is compared with the progress in a later one.
 */
export class LogMark {
  private mark: { atMs: number; ends: ReadonlyMap<number, bigint> } | null = null;
  private handledMs: number | null = null;

  /**
   * @param nowMs time of the progress query
   * @returns a moment before which all messages are processed; null: none is known yet
   */
  see(progress: readonly PartitionProgress[], nowMs: number): number | null {
    const isHandledTo = (ends: ReadonlyMap<number, bigint>): boolean =>
      progress.every(({ partition, handled }) => handled >= (ends.get(partition) ?? 0n));
    const ends = new Map(progress.map(({ partition, end }) => [partition, end]));
    if (isHandledTo(ends)) {
      this.handledMs = nowMs;
      this.mark = null;
    } else if (!this.mark || isHandledTo(this.mark.ends)) {
      if (this.mark) this.handledMs = this.mark.atMs;
      this.mark = { atMs: nowMs, ends };
    }
    return this.handledMs;
  }
}

export const GROUP_ID = 'simulation';

const DAY_MS = 86_400_000;
/** A forecast is summed up after its horizon and some minutes. */
const LONGEST_DAYS = Math.max(...HORIZONS_DAYS) + 1;
const LOCK = 'plimsoll:simulation:track-record';
const ROUND_DEADLINE_MS = 120_000;

/** Keeps the track record, on one instance at a time. */
@Injectable()
export class TrackRecordTask extends PeriodicService {
  private readonly mark = new LogMark();

  constructor(
    private readonly config: SimulationConfig,
    @Inject(Pool) private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly logger: PinoLogger,
    private readonly maker: ForecastMaker,
    private readonly signer: ForecastSigner,
    private readonly forecasts: ForecastsRepository,
    private readonly positions: TrackedPositionsRepository,
    private readonly keeper: CalibrationKeeper,
    private readonly alerts: OperatorAlerts,
  ) {
    super({
      name: 'track-record',
      everyMs: config.TRACK_RECORD_ROUND_MS,
      waitsFirst: true,
      failure: 'the track record cannot be updated now; the next round tries again',
      deadlineMs: ROUND_DEADLINE_MS,
      random: () => clock.random(),
    });
  }

  protected async round(signal: AbortSignal): Promise<boolean> {
    const hasMore = await withAdvisoryLock(this.pool, LOCK, () => this.maintain(signal));
    await this.alerts.measure();
    return hasMore === true;
  }

  /** Returns whether more work is due now. */
  private async maintain(signal: AbortSignal): Promise<boolean> {
    const nowMs = this.clock.now();
    const keptMs = nowMs - (this.config.TRACK_RECORD_RAW_DAYS + LONGEST_DAYS) * DAY_MS;
    const hasMoreToSign = await this.signer.sign(keptMs, signal);
    const handledMs = await this.handledMs(nowMs);
    await this.positions.trim(this.config.TRACK_RECORD_POSITIONS);
    // Some events in the log are not processed yet. The states may be old, and positions may have been
    // liquidatable since.
    if (handledMs === null) return hasMoreToSign;
    const hasMoreForecasts = nowMs - handledMs < STALE_MS && (await this.maker.make(signal));
    const hasMoreToSettle = await this.settle(handledMs - LATE_MS, nowMs);
    return !signal.aborted && (hasMoreForecasts || hasMoreToSign || hasMoreToSettle);
  }

  /** @param settledMs outcomes of forecasts that expired before this moment are known */
  private async settle(settledMs: number, nowMs: number): Promise<boolean> {
    if (await this.forecasts.expire(settledMs, nowMs)) return true;
    await this.keeper.check(settledMs);
    return this.forecasts.sumUp(settledMs - this.config.TRACK_RECORD_RAW_DAYS * DAY_MS, LOG_SCORE_FLOOR);
  }

  /** The time up to which all events of the positions are processed. Null: none is known yet. */
  private async handledMs(nowMs: number): Promise<number | null> {
    const options = { ...kafkaSettings(this.config), clientId: 'simulation', groupId: GROUP_ID };
    return this.mark.see(await consumerProgress({ ...options, logger: this.logger }, 'position.v1'), nowMs);
  }
}
