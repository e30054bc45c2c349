import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, replacing, runBulk } from '../infrastructure/bulk-rows';

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

const COLUMNS = columns<AccountState>({
  text: ['accountId'],
  boolean: ['mayAutomate', 'mayExecute'],
  timestamptz: ['updatedAt'],
});
const IS_NEWER = { where: 'known.updated_at <= excluded.updated_at' };
const APPLY = `${insertSql('accounts', COLUMNS, replacing(COLUMNS, ['account_id'], IS_NEWER))}
  RETURNING account_id AS "accountId"`;

/** Stores which accounts may have rules evaluated. */
@Injectable()
export class AccountsRepository {
  /**
   * Stores at most one state for each account. Returns the states that are not older than the stored ones.
   */
  async apply(tx: SqlExecutor, states: readonly AccountState[]): Promise<AccountState[]> {
    const rows = await runBulk<AccountState, { accountId: string }>(tx, APPLY, COLUMNS, states);
    const taken = new Set(rows.map(({ accountId }) => accountId));
    return states.filter(({ accountId }) => taken.has(accountId));
  }
}
