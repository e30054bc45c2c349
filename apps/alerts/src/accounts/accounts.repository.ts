import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';

/** The fields of account.v1 on which rules depend. */
export interface AccountState {
  accountId: string;
  /** True when the tier includes automation. */
  mayAutomate: boolean;
  /** True when the tier includes executions on chain. */
  mayExecute: boolean;
  /** ISO 8601. */
  updatedAt: string;
}

/** Stores which accounts may have rules evaluated. */
@Injectable()
export class AccountsRepository {
  /**
   * Stores at most one state for each account. Returns the states that are not older than the stored ones.
   */
  async apply(tx: SqlExecutor, states: readonly AccountState[]): Promise<AccountState[]> {
    const { rows } = await tx.query<{ accountId: string }>(
      `INSERT INTO accounts AS known (account_id, may_automate, may_execute, updated_at)
       SELECT * FROM unnest($1::text[], $2::boolean[], $3::boolean[], $4::timestamptz[]) ORDER BY 1
       ON CONFLICT (account_id) DO UPDATE SET may_automate = excluded.may_automate,
         may_execute = excluded.may_execute, updated_at = excluded.updated_at
       WHERE known.updated_at <= excluded.updated_at
       RETURNING account_id AS "accountId"`,
      [
        states.map(({ accountId }) => accountId),
        states.map(({ mayAutomate }) => mayAutomate),
        states.map(({ mayExecute }) => mayExecute),
        states.map(({ updatedAt }) => updatedAt),
      ],
    );
    const taken = new Set(rows.map(({ accountId }) => accountId));
    return states.filter(({ accountId }) => taken.has(accountId));
  }
}
