import { Inject, Injectable } from '@nestjs/common';
import { type PositionV1, priceSymbol } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { type NewForecast, forecastContent } from './forecast-content';
import type { Ending } from './outcome';
import { healthFactorBand, mainCollateral } from './tracked-position';

const DAY_MS = 86_400_000;
/** Rows of one statement. */
const BATCH = 5_000;

/**
 * A state this much older than the newest may be wrong. The position gets no forecast from it, or one that
 * does not count.
 */
export const STALE_MS = 5 * 60_000;

/** SQL: the state that ends a forecast, with the block time $6, existed before the forecast was made. */
const IS_STALE = `$6::timestamptz < made_at - ${STALE_MS} * interval '1 millisecond'`;

@Injectable()
export class ForecastsRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /**
   * Stores forecasts of a state. An existing forecast of the same position, horizon and slot stays unchanged.
   * @returns false: the position has changed since, and nothing was stored
   */
  async add(
    position: PositionV1,
    slot: Date,
    madeAtMs: number,
    forecasts: readonly NewForecast[],
  ): Promise<boolean> {
    const { id, sequence, block, chainId, protocol } = position;
    const factor = position.healthFactor ?? 0;
    const asset = mainCollateral(position) ?? priceSymbol(position.legs[0]?.asset ?? 'none');
    return inTransaction(this.pool, async (tx) => {
      // An event that arrives now waits for this transaction, and then finds the forecasts that it ends.
      const { rowCount } = await tx.query(
        'SELECT 1 FROM tracked_positions WHERE id = $1 AND sequence = $2 FOR SHARE',
        [id, sequence],
      );
      if (rowCount !== 1) return false;
      const stored = await tx.query(
        `INSERT INTO forecasts (position_id, slot, made_at, sequence, block, chain_id, protocol, asset, band,
           health_factor, horizon_days, expires_at, model, model_version, probability, standard_error)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, * FROM unnest(
           $11::smallint[], $12::timestamptz[], $13::text[], $14::text[], $15::float8[], $16::float8[])
         ON CONFLICT DO NOTHING`,
        [
          id,
          slot,
          new Date(madeAtMs),
          sequence,
          block,
          chainId,
          protocol,
          asset,
          healthFactorBand(factor),
          factor,
          forecasts.map(({ horizonDays }) => horizonDays),
          forecasts.map(({ horizonDays }) => new Date(madeAtMs + horizonDays * DAY_MS)),
          forecasts.map(({ model }) => model),
          forecasts.map(({ modelVersion }) => modelVersion),
          forecasts.map(({ probability }) => probability),
          forecasts.map(({ standardError }) => standardError),
        ],
      );
      // A receipt states the forecasts that are stored. Those of the slot that exist have theirs.
      if (stored.rowCount === forecasts.length)
        await tx.query(
          'INSERT INTO forecast_receipts (position_id, slot, content) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
          [id, slot, JSON.stringify(forecastContent(position, madeAtMs, forecasts))],
        );
      return true;
    });
  }

  /**
   * Gives forecasts their outcome, the earliest ending first. A late event revokes the outcome untouched. One
   * from long before the forecast shows that the forecast used an old state: it is censored.
   */
  async end(tx: SqlExecutor, endings: readonly Ending[]): Promise<void> {
    for (const { positionId, sequence, block, blockTime, outcome, reason } of endings) {
      await tx.query(
        {
          name: 'end-forecasts',
          text: `UPDATE forecasts SET outcome_block = $3, resolved_at = now(),
                   outcome = CASE WHEN ${IS_STALE} THEN 'censored' ELSE $1 END,
                   outcome_reason = CASE WHEN ${IS_STALE} THEN 'stale' ELSE $2 END
                 WHERE position_id = $4 AND sequence < $5
                   AND (outcome IS NULL OR (outcome = 'untouched' AND $6::timestamptz IS NOT NULL))
                   AND ($6::timestamptz IS NULL OR expires_at >= $6)`,
        },
        [outcome, reason, block, positionId, sequence, blockTime],
      );
    }
  }

  /** Ends forecasts that expired before this moment as untouched. Returns whether there may be more. */
  async expire(beforeMs: number, nowMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `UPDATE forecasts SET outcome = 'untouched', resolved_at = $2 WHERE outcome IS NULL AND ctid = ANY(ARRAY(
         SELECT ctid FROM forecasts WHERE outcome IS NULL AND expires_at < $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
      [new Date(beforeMs), new Date(nowMs)],
    );
    return (rowCount ?? 0) >= BATCH;
  }

  /**
   * Adds resolved forecasts that expired before this moment to the sums, and deletes them. Returns whether
   * there may be more.
   * @param logFloor value of a probability of 0 in the log score
   */
  async sumUp(beforeMs: number, logFloor: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ deleted: string }>(
      `WITH gone AS (
         DELETE FROM forecasts WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM forecasts WHERE outcome IS NOT NULL AND expires_at < $1 LIMIT ${BATCH}))
         RETURNING *
       ), totals AS (
         INSERT INTO forecast_totals AS total (${KEYS}, model, bin, ${SUMMED.join(', ')}, resolved_at, since)
         SELECT ${KEYS}, model, ${BIN}, ${sums('$2::float8')}, min(made_at) FROM gone GROUP BY ${KEYS}, model, 7
         ON CONFLICT (${KEYS}, model, bin) DO UPDATE SET
           ${SUMMED.map((column) => `${column} = total.${column} + excluded.${column}`).join(', ')},
           resolved_at = greatest(total.resolved_at, excluded.resolved_at), since = least(total.since, excluded.since)
       ), days AS (
         INSERT INTO forecast_days AS earlier (${KEYS}, day, excess) ${excessByDay('gone')}
         ON CONFLICT (${KEYS}, day) DO UPDATE SET excess = earlier.excess + excluded.excess
       ) SELECT count(*) AS deleted FROM gone`,
      [new Date(beforeMs), logFloor],
    );
    return Number(rows[0]?.deleted ?? 0) >= BATCH;
  }
}

/** The columns by which forecasts are grouped. */
export const KEYS = 'protocol, asset, horizon_days, band, model_version';

/** A block that made a position liquidatable may be read and published this much later. */
export const LATE_MS = 10 * 60_000;

/**
 * SQL: of the rows of `forecasts` in this table, by group and day.
 * @param isOver condition on a row whose horizon is over
 */
export function excessByDay(table: string, isOver = 'true'): string {
  return `SELECT ${KEYS}, (made_at AT TIME ZONE 'UTC')::date AS day,
      sum((outcome = 'liquidatable')::int - probability) AS excess
    FROM ${table} WHERE ${isOver} AND outcome IN ('liquidatable', 'untouched') GROUP BY ${KEYS}, 6`;
}

/** SQL with fine bins near 0, where most probabilities are. */
export const BIN = 'floor(100 * sqrt(probability))::smallint';

/** Columns of `forecast_totals` that are sums, in the order of `sums`. */
export const SUMMED = [
  'forecasts',
  'events',
  'sum_probability',
  'sum_variance',
  'sum_squared_error',
  'sum_log_score',
  'censored',
  'sum_censored',
] as const;

/**
 * SQL of these columns and of the last resolution over rows of `forecasts`. `forecasts` counts those with an
 * outcome.
 * @param logFloor expression for the value of a probability of 0
 * @param isOver condition on a row whose horizon is over
 */
export function sums(logFloor: string, isOver = 'true'): string {
  const isDecided = `${isOver} AND outcome IN ('liquidatable', 'untouched')`;
  const isCensored = `${isOver} AND outcome = 'censored'`;
  const happened = `(outcome = 'liquidatable')::int`;
  const given = `least(1 - ${logFloor}, greatest(${logFloor}, probability))`;
  const over = (of: string, filter: string): string => `coalesce(sum(${of}) FILTER (WHERE ${filter}), 0)`;
  return [
    `count(*) FILTER (WHERE ${isDecided})`,
    `count(*) FILTER (WHERE ${isOver} AND outcome = 'liquidatable')`,
    over('probability', isDecided),
    over('probability * (1 - probability)', isDecided),
    over(`(probability - ${happened}) ^ 2`, isDecided),
    over(`-ln(CASE WHEN outcome = 'liquidatable' THEN ${given} ELSE 1 - ${given} END)`, isDecided),
    `count(*) FILTER (WHERE ${isCensored})`,
    over('probability', isCensored),
    `max(resolved_at) FILTER (WHERE ${isOver})`,
  ].join(', ');
}
