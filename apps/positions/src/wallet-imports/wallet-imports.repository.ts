import { Injectable } from '@nestjs/common';
import {
  type ImportedWallet,
  type WalletImport,
  type WalletImportRejection,
  type WalletImportState,
  Problem,
  newId,
} from '@plimsoll/contracts';
import { currentCorrelation } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import { lockAccount } from '../wallets/wallet-cap';
import { requireGroups } from '../wallets/wallet-groups.repository';

/** Open imports of an account. */
const MOST_OPEN = 3;
/** Stored imports of an account. */
const MOST_KEPT = 20;
const RETENTION_DAYS = 7;
/** Rows that one statement deletes through their imports: 10,000 of each. */
const DELETED_IMPORTS = 10;

interface ImportRow extends Omit<WalletImport, 'createdAt' | 'completedAt' | 'expiresAt'> {
  createdAt: Date;
  completedAt: Date | null;
}

/** The next batch of an import, whose row is locked. */
export interface Turn {
  id: string;
  accountId: string;
  /** Cap of watched wallets. Null: none. */
  cap: number | null;
  groupIds: string[] | null;
  total: number;
  done: number;
  /** Batches in a row that could not be imported. */
  failures: number;
  requestId: string | null;
  traceparent: string | null;
}

/** A row as it was sent. */
export interface PendingRow {
  index: number;
  wallet: ImportedWallet;
}

/** The first mistake of a row. */
export type Rejection = Omit<WalletImportRejection, 'address'>;

/** The effects of the rows of a batch. */
export interface BatchOutcome {
  done: number;
  added: number;
  rejections: readonly Rejection[];
  /** Whether the next batch begins without the failures of this one. */
  isReset: boolean;
}

const COLUMNS = `id, state, total, done, added, already_watched AS "alreadyWatched", rejected,
  created_at AS "createdAt", completed_at AS "completedAt"`;

/** account.v1 after the request has the present cap. Before it, the request has it. */
export const NEXT_TURN = `
SELECT id, next.account_id AS "accountId", group_ids AS "groupIds", total, done, failures, request_id AS "requestId", traceparent,
  CASE WHEN account.updated_at > created_at THEN account.wallets_cap ELSE next.wallets_cap END AS cap
FROM wallet_imports AS next JOIN accounts AS account USING (account_id)
WHERE completed_at IS NULL AND turn_at <= clock_timestamp()
  AND id = (SELECT min(id) FROM wallet_imports AS own
            WHERE own.account_id = next.account_id AND own.completed_at IS NULL)
ORDER BY turn_at LIMIT 1 FOR UPDATE OF next SKIP LOCKED`;

export const REJECTIONS = `
SELECT index, wallet->>'address' AS address, field, code, message FROM wallet_import_rows
WHERE import_id = $1 AND index > $2 AND index < $3 ORDER BY index LIMIT $4`;

/** Imports of wallets and their rows. */
@Injectable()
export class WalletImportsRepository {
  constructor(private readonly pool: Pool) {}

  /** @throws quota_reached; invalid_request for an unknown group */
  async create(
    tx: PoolClient,
    accountId: string,
    {
      wallets,
      groupIds,
      cap,
    }: { wallets: readonly ImportedWallet[]; groupIds?: string[]; cap: number | null },
  ): Promise<WalletImport> {
    await lockAccount(tx, accountId);
    await requireGroups(tx, accountId, groupIds ?? []);
    const { rowCount: open } = await tx.query(
      'SELECT FROM wallet_imports WHERE account_id = $1 AND completed_at IS NULL',
      [accountId],
    );
    if ((open ?? 0) >= MOST_OPEN) throw tooManyOpen();
    await tx.query(
      `DELETE FROM wallet_imports WHERE completed_at IS NOT NULL AND id IN (
         SELECT id FROM wallet_imports WHERE account_id = $1 ORDER BY id DESC OFFSET ${MOST_KEPT - 1})`,
      [accountId],
    );
    const { requestId, traceparent } = currentCorrelation();
    const id = newId('imp');
    const { rows } = await tx.query<ImportRow>(
      `INSERT INTO wallet_imports (id, account_id, wallets_cap, group_ids, total, request_id, traceparent)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
      [id, accountId, cap, groupIds ?? null, wallets.length, requestId ?? null, traceparent ?? null],
    );
    await tx.query(
      `INSERT INTO wallet_import_rows (import_id, index, wallet)
       SELECT $1, place - 1, wallet FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS row (wallet, place)`,
      [id, JSON.stringify(wallets)],
    );
    return responseOf(rows[0]!);
  }

  /** Null without such an import of the account. */
  async find(accountId: string, id: string): Promise<WalletImport | null> {
    const { rows } = await this.pool.query<ImportRow>(
      `SELECT ${COLUMNS} FROM wallet_imports WHERE id = $1 AND account_id = $2`,
      [id, accountId],
    );
    return rows[0] ? responseOf(rows[0]) : null;
  }

  /** Rejected rows after an index. Rows of the import that are done and stored are rejected ones. */
  async rejections(
    { id, done }: Pick<WalletImport, 'id' | 'done'>,
    limit: number,
    after: number,
  ): Promise<WalletImportRejection[]> {
    const { rows } = await this.pool.query<WalletImportRejection>(REJECTIONS, [id, after, done, limit]);
    return rows;
  }

  async isAnyOpen(): Promise<boolean> {
    const { rows } = await this.pool.query<{ isAny: boolean }>(
      'SELECT EXISTS (SELECT FROM wallet_imports WHERE completed_at IS NULL) AS "isAny"',
    );
    return rows[0]?.isAny === true;
  }

  /** The import whose turn it is, locked in a transaction. One of each account takes turns with those of the others. */
  async nextTurn(tx: Pick<PoolClient, 'query'> = this.pool): Promise<Turn | null> {
    return (await tx.query<Turn>(NEXT_TURN)).rows[0] ?? null;
  }

  async pendingRows(
    { id, done }: Turn,
    limit: number,
    tx: Pick<PoolClient, 'query'> = this.pool,
  ): Promise<PendingRow[]> {
    const { rows } = await tx.query<PendingRow>(
      'SELECT index, wallet FROM wallet_import_rows WHERE import_id = $1 AND index >= $2 ORDER BY index LIMIT $3',
      [id, done, limit],
    );
    return rows;
  }

  async save(tx: PoolClient, turn: Turn, { done, added, rejections, isReset }: BatchOutcome): Promise<void> {
    const upTo = turn.done + done;
    await tx.query(
      `UPDATE wallet_import_rows AS row SET field = mistake.field, code = mistake.code, message = mistake.message
       FROM unnest($2::int[], $3::text[], $4::text[], $5::text[]) AS mistake (index, field, code, message)
       WHERE import_id = $1 AND row.index = mistake.index`,
      [
        turn.id,
        rejections.map(({ index }) => index),
        rejections.map(({ field }) => field),
        rejections.map(({ code }) => code),
        rejections.map(({ message }) => message),
      ],
    );
    await tx.query(
      'DELETE FROM wallet_import_rows WHERE import_id = $1 AND index >= $2 AND index < $3 AND code IS NULL',
      [turn.id, turn.done, upTo],
    );
    const isOver = upTo >= turn.total;
    const state: WalletImportState = isOver ? 'completed' : 'running';
    await tx.query(
      `UPDATE wallet_imports SET done = $2, added = added + $3, rejected = rejected + $4,
         already_watched = already_watched + $5, state = $6, failures = CASE WHEN $8 THEN 0 ELSE failures END, turn_at = clock_timestamp(),
         completed_at = CASE WHEN $7 THEN clock_timestamp() END
       WHERE id = $1`,
      [turn.id, upTo, added, rejections.length, done - added - rejections.length, state, isOver, isReset],
    );
  }

  /** Counts a failed batch. The import waits for its next turn, and ends after `most` failures in a row. */
  async saveFailure(id: string, most: number): Promise<void> {
    await this.pool.query(
      `UPDATE wallet_imports SET failures = failures + 1,
         turn_at = clock_timestamp() + (failures + 1) * interval '1 second',
         state = CASE WHEN failures + 1 >= $2 THEN 'failed' ELSE state END,
         completed_at = CASE WHEN failures + 1 >= $2 THEN clock_timestamp() END
       WHERE id = $1 AND completed_at IS NULL`,
      [id, most],
    );
  }

  /** Deletes some of the expired imports. Returns whether there may be more. */
  async deleteExpired(): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM wallet_imports WHERE id = ANY(ARRAY(SELECT id FROM wallet_imports
         WHERE completed_at < now() - interval '${RETENTION_DAYS} days'
         ORDER BY completed_at LIMIT ${DELETED_IMPORTS}))`,
    );
    return rowCount === DELETED_IMPORTS;
  }
}

const tooManyOpen = (): Problem =>
  new Problem(
    'quota_reached',
    `This account has ${MOST_OPEN} imports that have not ended, which is its limit. Wait until one of them ends.`,
  );

function responseOf({ createdAt, completedAt, ...rest }: ImportRow): WalletImport {
  const expiresAt = completedAt && new Date(completedAt.getTime() + RETENTION_DAYS * 86_400_000);
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
