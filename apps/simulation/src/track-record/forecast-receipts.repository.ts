import { Inject, Injectable } from '@nestjs/common';
import type { ForecastContent } from '@plimsoll/receipts';
import { Conditions } from '@plimsoll/service-kit';
import { Pool } from 'pg';

/** Forecasts whose receipt is not signed yet. */
export interface UnsignedForecasts {
  positionId: string;
  slot: Date;
  content: ForecastContent;
}

/** A recorded forecast with its receipt, and its outcome as soon as it is known. */
export interface SignedForecast {
  horizonDays: number;
  slot: Date;
  madeAt: Date;
  expiresAt: Date;
  block: string;
  healthFactor: number;
  model: string;
  modelVersion: string;
  probability: number;
  standardError: number;
  outcome: string | null;
  outcomeReason: string | null;
  outcomeBlock: string | null;
  resolvedAt: Date | null;
  receiptHash: string;
}

/** The receipts of recorded forecasts. */
@Injectable()
export class ForecastReceiptsRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** The oldest that are not signed. */
  async unsigned(limit: number): Promise<UnsignedForecasts[]> {
    const { rows } = await this.pool.query<{ positionId: string; slot: Date; content: string }>(
      `SELECT position_id AS "positionId", slot, content FROM forecast_receipts
       WHERE hash IS NULL ORDER BY slot, position_id LIMIT $1`,
      [limit],
    );
    return rows.map((row) => ({ ...row, content: JSON.parse(row.content) as ForecastContent }));
  }

  async signed({ positionId, slot }: UnsignedForecasts, hash: string): Promise<void> {
    await this.pool.query(
      'UPDATE forecast_receipts SET hash = $3, content = NULL WHERE position_id = $1 AND slot = $2',
      [positionId, slot, hash],
    );
  }

  /** Deletes those that were not signed in time, and those whose forecasts are no longer stored. */
  async trim(unsignedBefore: Date, before: Date): Promise<void> {
    await this.pool.query('DELETE FROM forecast_receipts WHERE slot < $1 AND (hash IS NULL OR slot < $2)', [
      unsignedBefore,
      before,
    ]);
  }

  /** The hash of the newest receipt. Null: none is signed. */
  async newestHash(positionId: string): Promise<string | null> {
    const { rows } = await this.pool.query<{ hash: string }>(
      `SELECT hash FROM forecast_receipts WHERE position_id = $1 AND hash IS NOT NULL ORDER BY slot DESC LIMIT 1`,
      [positionId],
    );
    return rows[0]?.hash ?? null;
  }

  /**
   * Forecasts with a receipt, newest first.
   * @param before the last one of the page before, by slot and horizon. Null: the first page
   */
  async list(
    positionId: string,
    limit: number,
    before: { slot: Date; horizonDays: number } | null,
  ): Promise<SignedForecast[]> {
    const conditions = new Conditions();
    conditions.equal('position_id', positionId);
    if (before) {
      const [slot, horizon] = [conditions.parameter(before.slot), conditions.parameter(before.horizonDays)];
      conditions.add(`(slot, horizon_days) < (${slot}, ${horizon}::smallint)`);
      // With this condition, the receipts begin at the cursor too.
      conditions.add(`receipt.slot <= ${slot}`);
    }
    const { rows } = await this.pool.query<SignedForecast>(
      `SELECT horizon_days AS "horizonDays", slot, made_at AS "madeAt", expires_at AS "expiresAt", block,
         health_factor AS "healthFactor", model, model_version AS "modelVersion", probability,
         standard_error AS "standardError", outcome, outcome_reason AS "outcomeReason",
         outcome_block AS "outcomeBlock", resolved_at AS "resolvedAt", receipt.hash AS "receiptHash"
       FROM forecasts JOIN forecast_receipts AS receipt USING (position_id, slot)
       WHERE ${conditions.sql} AND receipt.hash IS NOT NULL
       ORDER BY slot DESC, horizon_days DESC LIMIT ${conditions.parameter(limit)}`,
      conditions.values,
    );
    return rows;
  }
}
