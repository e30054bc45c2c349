import { Inject, Injectable } from '@nestjs/common';
import type { RiskModel, TrackRecordGroup } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { LOG_SCORE_FLOOR } from './forecast-model';
import { BIN, KEYS, SUMMED, excessByDay, sums } from './forecasts.repository';
import type { RecordCell, RecordPeriod } from './scores';

/** The columns by which forecasts are grouped. */
export type RecordKey = Pick<
  TrackRecordGroup,
  'protocol' | 'asset' | 'horizonDays' | 'band' | 'modelVersion'
>;

/** The cells of all groups, and their periods. */
export interface RecordSums {
  cells: (RecordKey & RecordCell & { model: RiskModel; since: Date; resolvedAt: Date | null })[];
  periods: (RecordKey & RecordPeriod)[];
}

const KEY_FIELDS = `protocol, asset, horizon_days AS "horizonDays", band, model_version AS "modelVersion"`;

/**
 * Liquidations are known immediately, other outcomes when the horizon is over. A forecast counts when all that
 * expired before it have their outcome. Otherwise the first days of a record would show only liquidations.
 */
const IS_OVER =
  'expires_at < least($1::timestamptz, (SELECT min(expires_at) FROM forecasts WHERE outcome IS NULL))';

/** Both the individual forecasts and the sums. */
const CELLS = `
WITH parts (${KEYS}, model, bin, ${SUMMED.join(', ')}, resolved_at, pending, since) AS (
  SELECT ${KEYS}, model, ${BIN}, ${sums(`${LOG_SCORE_FLOOR}::float8`, IS_OVER)},
    count(*) FILTER (WHERE NOT ${IS_OVER}), min(made_at)
  FROM forecasts GROUP BY ${KEYS}, model, 7
  UNION ALL
  SELECT ${KEYS}, model, bin, ${SUMMED.join(', ')}, resolved_at, 0, since FROM forecast_totals
)
SELECT ${KEY_FIELDS}, model, sum(forecasts)::float8 AS forecasts, sum(events)::float8 AS events,
  sum(sum_probability) AS "sumProbability", sum(sum_variance) AS "sumVariance",
  sum(sum_squared_error) AS "sumSquaredError", sum(sum_log_score) AS "sumLogScore",
  sum(censored)::float8 AS censored, sum(sum_censored) AS "sumCensored", sum(pending)::float8 AS pending,
  min(since) AS since, max(resolved_at) AS "resolvedAt"
FROM parts GROUP BY ${KEYS}, model, bin`;

const PERIODS = `
WITH parts AS (
  ${excessByDay('forecasts', IS_OVER)}
  UNION ALL
  SELECT ${KEYS}, day, excess FROM forecast_days
)
SELECT ${KEY_FIELDS}, (day - date '1970-01-01') / horizon_days AS period, sum(excess) AS excess
FROM parts GROUP BY ${KEYS}, period`;

/** Reads the record as sums, from which figures of any selection can be computed. */
@Injectable()
export class RecordReader {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** @param beforeMs forecasts that expired later are pending */
  async read(beforeMs: number): Promise<RecordSums> {
    const before = [new Date(beforeMs)];
    const [cells, periods] = await Promise.all([
      this.pool.query<RecordSums['cells'][number]>(CELLS, before),
      this.pool.query<RecordSums['periods'][number]>(PERIODS, before),
    ]);
    return { cells: cells.rows, periods: periods.rows };
  }
}
