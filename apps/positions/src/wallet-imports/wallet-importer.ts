import { Injectable, Logger } from '@nestjs/common';
import { Problem, WatchWalletBody, parseAddress } from '@plimsoll/contracts';
import { PeriodicService, ValidationPipe, inTransaction, withCorrelation } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import { TrackedWallets } from '../tracking/tracked-wallets';
import { lockAccount } from '../wallets/wallet-cap';
import { WalletsRepository } from '../wallets/wallets.repository';
import { aboveCap } from '../wallets/wallets.service';
import { type BatchNames, ImportNames, isUnread, rowsWithNames } from './import-names';
import {
  type PendingRow,
  type Rejection,
  type Turn,
  WalletImportsRepository,
} from './wallet-imports.repository';

const POLL_MS = 1_000;
/** A batch holds the lock of its account, and another account waits for it at most once a turn. */
const BATCH_ROWS = 100;
const MOST_FAILURES = 10;
/** Turns in which a name is looked up before its row is rejected, if the node does not respond. */
const MOST_LOOK_UPS = 3;
const CLEAN_MS = 600_000;

/**
 * Imports wallets in batches. The row of the import is locked during a batch, so that no two instances have the same one.
 * A batch, its progress and its events are one transaction. A process that is killed leaves the import as it was before
 * its batch, and Postgres releases the lock with the connection.
 */
@Injectable()
export class WalletImporter extends PeriodicService {
  private readonly logger = new Logger('wallet-imports');
  private readonly rules = new ValidationPipe();
  private cleanedAtMs = -Infinity;

  constructor(
    private readonly pool: Pool,
    private readonly imports: WalletImportsRepository,
    private readonly wallets: WalletsRepository,
    private readonly tracked: TrackedWallets,
    private readonly names: ImportNames,
  ) {
    super({
      name: 'wallet-imports',
      everyMs: POLL_MS,
      failure: 'wallets could not be imported; the next round tries again',
    });
  }

  protected async round(signal: AbortSignal): Promise<boolean> {
    if (performance.now() - this.cleanedAtMs >= CLEAN_MS && !(await this.imports.deleteExpired()))
      this.cleanedAtMs = performance.now();
    // Most rounds find nothing, and one query costs less than a transaction.
    return (await this.imports.isAnyOpen()) && this.importBatch(signal);
  }

  /** Returns whether there was a batch. */
  private async importBatch(signal: AbortSignal): Promise<boolean> {
    let id: string | undefined;
    try {
      // Before the transaction, because a node may take seconds.
      const next = await this.imports.nextTurn();
      if (!next) return false;
      ({ id } = next);
      const names = await this.names.ofBatch(await this.imports.pendingRows(next, BATCH_ROWS), signal);
      const unread = [...names.values()].find(isUnread);
      if (unread && next.failures + 1 < MOST_LOOK_UPS) throw unread as Problem;
      const added = await inTransaction(this.pool, async (tx) => {
        const turn = await this.imports.nextTurn(tx);
        if (!turn) return null;
        ({ id } = turn);
        const { requestId, traceparent } = turn;
        const correlation = { ...(requestId && { requestId }), ...(traceparent && { traceparent }) };
        return withCorrelation(correlation, () => this.importRows(tx, turn, names));
      });
      if (added) this.tracked.refreshSoon();
      return added !== null;
    } catch (error) {
      if (id === undefined || signal.aborted) throw error;
      this.logger.warn({ msg: 'a batch of wallets could not be imported', importId: id, err: error });
      await this.imports.saveFailure(id, MOST_FAILURES);
      return true;
    }
  }

  /** Returns the number of added wallets. */
  private async importRows(tx: PoolClient, turn: Turn, names: BatchNames): Promise<number> {
    await lockAccount(tx, turn.accountId);
    const pending = await this.imports.pendingRows(turn, BATCH_ROWS, tx);
    const rows = pending.slice(0, rowsWithNames(pending, names));
    const rejections: Rejection[] = [];
    let added = 0;
    for (const row of rows) {
      const outcome = await this.importRow(tx, turn, row, names);
      if (outcome === 'added') added += 1;
      else if (outcome !== 'already watched') rejections.push(outcome);
    }
    const isReset = ![...names.values()].some(isUnread);
    await this.imports.save(tx, turn, { done: rows.length, added, rejections, isReset });
    return added;
  }

  /** As POST /v1/wallets. */
  private async importRow(
    tx: PoolClient,
    { accountId, cap, groupIds }: Turn,
    { index, wallet }: PendingRow,
    names: BatchNames,
  ): Promise<'added' | 'already watched' | Rejection> {
    const found = names.get(wallet.address);
    if (found instanceof Problem && isUnread(found))
      return { index, field: 'address', code: found.code, message: unreadName(wallet.address) };
    try {
      if (found instanceof Problem) throw found;
      const row = found === undefined ? wallet : { ...wallet, address: found };
      const { address, label, walletGroupIds } = (await this.rules.transform(row, {
        type: 'body',
        metatype: WatchWalletBody,
      })) as WatchWalletBody;
      const watched = await this.wallets.watchLocked(
        tx,
        { accountId, address: parseAddress(address, 'address') },
        { label, groupIds: walletGroupIds ?? groupIds ?? undefined },
        cap,
      );
      if (!watched) return { index, field: null, code: 'quota_reached', message: aboveCap(cap) };
      return watched.isNew ? 'added' : 'already watched';
    } catch (error) {
      const [mistake] = error instanceof Problem ? (error.options.errors ?? []) : [];
      if (!mistake) throw error;
      const { field, code, message } = mistake;
      return { index, field, code, message };
    }
  }
}

const unreadName = (name: string): string =>
  `${name.slice(0, 64)} could not be looked up, because the node of mainnet does not respond. Send the address, or import the row again.`;
