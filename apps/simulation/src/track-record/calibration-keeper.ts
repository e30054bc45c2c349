import { Inject, Injectable } from '@nestjs/common';
import { type CalibrationAlarm, type Cohort, calibrationAlarm } from '@plimsoll/risk-math';
import { Clock } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import { HORIZONS_DAYS, MODEL_VERSION } from './forecast-model';
import { CALIBRATION, OperatorAlerts } from './operator-alerts';

/** Cohorts of one call and horizon. */
const COHORTS_PER_TRANSACTION = 100;

const REMEDY =
  'Compare the figures of GET /v1/risk/track-record by asset and band, check the price histories, and run `npm run calibrate` ' +
  'on recent prices. The alert resolves with a new model version, or after 30 cohorts without another alarm.';

/** Compares forecasts with outcomes, cohort by cohort, and opens an alert for operators when they diverge. */
@Injectable()
export class CalibrationKeeper {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prisma: PrismaClient,
    private readonly clock: Clock,
    private readonly alerts: OperatorAlerts,
  ) {}

  /** @param settledMs outcomes of forecasts that expired before this moment are known */
  async check(settledMs: number): Promise<void> {
    for (const horizonDays of HORIZONS_DAYS) {
      for (let added = 0; added < COHORTS_PER_TRANSACTION; added += 1) {
        if (!(await this.addCohort(horizonDays, settledMs))) break;
      }
      await this.judge(horizonDays);
    }
  }

  /** Adds the first slot after the last cohort, if all its outcomes are known. */
  private async addCohort(horizonDays: number, settledMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `WITH next AS (
         SELECT slot, max(expires_at) AS expires_at, count(*) AS forecasts,
           count(*) FILTER (WHERE outcome = 'liquidatable') AS events,
           count(*) FILTER (WHERE outcome = 'censored') AS censored,
           sum(probability) AS sum_probability, bool_and(outcome IS NOT NULL) AS is_settled
         FROM forecasts WHERE horizon_days = $1 AND model_version = $2 AND slot >= coalesce((
           SELECT max(expires_at) FROM calibration_cohorts WHERE horizon_days = $1 AND model_version = $2), '-infinity')
         GROUP BY slot ORDER BY slot LIMIT 1)
       INSERT INTO calibration_cohorts (horizon_days, model_version, slot, expires_at, forecasts, events, censored,
         sum_probability)
       SELECT $1, $2, slot, expires_at, forecasts, events, censored, sum_probability FROM next
       WHERE is_settled AND expires_at < $3
       ON CONFLICT DO NOTHING`,
      [horizonDays, MODEL_VERSION, new Date(settledMs)],
    );
    return rowCount === 1;
  }

  private async judge(horizonDays: number): Promise<void> {
    const rows = await this.prisma.calibrationCohort.findMany({
      select: { slot: true, forecasts: true, events: true, censored: true, sumProbability: true },
      where: { horizonDays, modelVersion: MODEL_VERSION },
      orderBy: { slot: 'asc' },
    });
    const subject = `${horizonDays}d`;
    const alarm = calibrationAlarm(rows);
    const nowMs = this.clock.now();
    if (alarm.openedAt === null) return this.alerts.resolve(CALIBRATION, subject, nowMs);
    const detail = describe(horizonDays, rows.slice(0, alarm.openedAt + 1), alarm);
    const openedAt = new Date(nowMs);
    await this.alerts.open({ kind: CALIBRATION, subject, detail, remedy: REMEDY, openedAt });
  }
}

/** Describes the last cohorts before the alarm. */
function describe(horizonDays: number, cohorts: readonly Cohort[], { evidence }: CalibrationAlarm): string {
  const last = cohorts.slice(-30);
  const sum = (of: (cohort: Cohort) => number): number => last.reduce((all, each) => all + of(each), 0);
  const isTooLow = evidence.tooLow > evidence.tooHigh;
  const forecasts = sum((cohort) => cohort.forecasts);
  const percent = (events: number): string => `${((100 * events) / forecasts).toFixed(2)} %`;
  const censored = sum((cohort) => cohort.censored);
  return (
    `Forecasts over ${horizonDays} ${horizonDays === 1 ? 'day' : 'days'} are too ${isTooLow ? 'low' : 'high'}: ` +
    `over the last ${last.length} cohorts ${percent(sum((cohort) => cohort.events))} of the positions became liquidatable, ` +
    `${percent(sum((cohort) => cohort.sumProbability))} was forecast, ${percent(censored)} are censored.`
  );
}
