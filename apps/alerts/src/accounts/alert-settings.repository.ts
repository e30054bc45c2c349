import { Injectable } from '@nestjs/common';
import { type AlertPreferences, DEFAULT_ALERT_PREFERENCES } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { PrismaClient } from '../generated/prisma/client';
import type { PositionState } from '../positions/position-state';

const COLUMNS = `account_id AS "accountId", min_usd AS "minUsd", target_health_factor AS "targetHealthFactor"`;

type Row = AlertPreferences & { accountId: string };

/** Stores the alert settings of accounts. */
@Injectable()
export class AlertSettingsRepository {
  constructor(private readonly prisma: PrismaClient) {}

  async of(accountId: string): Promise<AlertPreferences> {
    return preferences((await this.prisma.alertSetting.findUnique({ where: { accountId } })) ?? undefined);
  }

  /** Returns the settings of accounts that have any. */
  async preferencesOf(tx: SqlExecutor, accountIds: readonly string[]): Promise<PreferencesByAccount> {
    const { rows } = await tx.query<Row>(`SELECT ${COLUMNS} FROM alert_settings WHERE account_id = ANY($1)`, [
      accountIds,
    ]);
    return new Map(rows.map((row) => [row.accountId, preferences(row)]));
  }

  /** Changes the given settings. Settings that were never set start from their default. */
  async change(
    tx: SqlExecutor,
    accountId: string,
    { minUsd, targetHealthFactor }: Partial<AlertPreferences>,
    nowMs: number,
  ): Promise<AlertPreferences> {
    const { rows } = await tx.query<Row>(
      `INSERT INTO alert_settings AS known (account_id, min_usd, target_health_factor, updated_at)
       VALUES ($1, coalesce($2::float8, $5::float8), coalesce($3::float8, $6::float8), to_timestamp($4::float8 / 1000))
       ON CONFLICT (account_id) DO UPDATE SET min_usd = coalesce($2::float8, known.min_usd),
         target_health_factor = coalesce($3::float8, known.target_health_factor), updated_at = excluded.updated_at
       RETURNING ${COLUMNS}`,
      [
        accountId,
        minUsd ?? null,
        targetHealthFactor ?? null,
        nowMs,
        DEFAULT_ALERT_PREFERENCES.minUsd,
        DEFAULT_ALERT_PREFERENCES.targetHealthFactor,
      ],
    );
    return preferences(rows[0]);
  }
}

function preferences(row: AlertPreferences | undefined): AlertPreferences {
  const { minUsd, targetHealthFactor } = row ?? DEFAULT_ALERT_PREFERENCES;
  return { minUsd, targetHealthFactor };
}

/** Settings of accounts for their alerts. An account that is absent has the defaults. */
export type PreferencesByAccount = ReadonlyMap<string, AlertPreferences>;

export function preferencesOf(all: PreferencesByAccount, accountId: string): AlertPreferences {
  return all.get(accountId) ?? DEFAULT_ALERT_PREFERENCES;
}

/**
 * Returns whether a position is too small for alerts of the account. A position without a value in USD never
 * is.
 */
export function isDust(
  { collateralUsd, debtUsd, isUsdKnown }: Pick<PositionState, 'collateralUsd' | 'debtUsd' | 'isUsdKnown'>,
  { minUsd }: Pick<AlertPreferences, 'minUsd'>,
): boolean {
  return isUsdKnown && collateralUsd < minUsd && debtUsd < minUsd;
}
