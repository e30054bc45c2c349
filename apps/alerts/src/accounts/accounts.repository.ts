import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';

/** What account.v1 says of an account, as far as rules look at it. */
export interface AccountState {
  accountId: string;
  /** Its tier has automation. */
  mayAutomate: boolean;
  /** Its tier has executions on chain. */
  mayExecute: boolean;
  /** ISO 8601. */
  updatedAt: string;
}

/** Which accounts may have rules evaluated. */
@Injectable()
export class AccountsRepository {
  /** Takes in states, at most one for each account; returns those that are not older than what was known. */
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
