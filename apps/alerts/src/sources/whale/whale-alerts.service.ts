import { Injectable } from '@nestjs/common';
import type { Correlation } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { WatchesRepository } from '../../accounts/watches.repository';
import { AlertsConfig } from '../../config';
import type { Alert } from '../../lifecycle/alert';
import { AlertLifecycle } from '../../lifecycle/alert-lifecycle.service';
import { ExpiryPoller } from '../../lifecycle/expiry.poller';
import { PendingMovesRepository } from './pending-moves.repository';
import { type CausedMove, walletOfSubject, walletSubject, whaleText } from './whale-alert';
import { WhaleTargetsRepository } from './whale-targets.repository';

const MINUTE_MS = 60_000;
/** Most alerts that one transaction opens or resolves: about two seconds of work. */
const MOST_CHANGES = 10_000;

/** Opens and resolves alerts about whale moves, in the caller's transaction. */
@Injectable()
export class WhaleAlerts {
  constructor(
    private readonly lifecycle: AlertLifecycle,
    private readonly targets: WhaleTargetsRepository,
    private readonly watches: WatchesRepository,
    private readonly pendingMoves: PendingMovesRepository,
    private readonly config: AlertsConfig,
    private readonly clock: Clock,
    expiry: ExpiryPoller,
  ) {
    const message = `The move is ${config.WHALE_ALERT_MINUTES} minutes ago.`;
    expiry.add({
      condition: 'whale_subject IS NOT NULL',
      endedText: ({ title }) => ({ title, message }),
    });
  }

  /**
   * Handles the present state of moves, each once. Notifies some thousands of accounts. The poller notifies
   * the rest. The caller holds the watch lock.
   */
  async notify(tx: SqlExecutor, moves: readonly CausedMove[]): Promise<void> {
    if (moves.length === 0) return;
    await this.targets.lock(tx);
    await this.reverted(
      tx,
      moves.filter(({ move }) => move.status === 'reverted'),
    );
    await this.observed(
      tx,
      moves.filter(({ move }) => move.status === 'observed'),
    );
  }

  /** Returns whether `notifyPending` has something to do. */
  hasPending(db: SqlExecutor): Promise<boolean> {
    return this.pendingMoves.any(db);
  }

  /** Notifies further accounts about moves with pending notifications. Returns true when more may remain. */
  async notifyPending(tx: SqlExecutor): Promise<boolean> {
    if (!(await this.pendingMoves.any(tx))) return false;
    await this.targets.lock(tx);
    await this.notify(tx, await this.pendingMoves.some(tx));
    return this.pendingMoves.any(tx);
  }

  /** Notifies the watchers of the wallet, and for very large moves every account with a position there. */
  private async observed(tx: SqlExecutor, moves: readonly CausedMove[]): Promise<void> {
    if (moves.length === 0) return;
    const nowMs = this.clock.now();
    // A back-fill finds old moves.
    const fresh = moves.filter(({ move }) => Date.parse(move.timestamp) > nowMs - this.standingMs);
    const pending = await this.targets.pendingNotifications(
      tx,
      fresh.map(({ move }) => move),
      this.config.WHALE_PROTOCOL_MIN_USD,
      MOST_CHANGES,
    );
    await this.lifecycle.open(
      tx,
      pending.map(({ accountId, subject, severity, place }) => {
        const { move, ...cause } = fresh[place]!;
        const about = { whaleSubject: subject, whaleActivityId: move.activityId };
        const expiresAtMs = nowMs + this.standingMs;
        return { accountId, type: 'whale_move', ...about, severity, ...whaleText(move), expiresAtMs, cause };
      }),
    );
    const hasMore = pending.length === MOST_CHANGES;
    await this.pendingMoves.set(tx, moves, false);
    if (hasMore) await this.pendingMoves.set(tx, fresh, true);
  }

  /** Resolves alerts about moves that a reorg removed. */
  private async reverted(tx: SqlExecutor, moves: readonly CausedMove[]): Promise<void> {
    if (moves.length === 0) return;
    const causes = new Map(moves.map((each) => [each.move.activityId, each]));
    const ids = [...causes.keys()];
    const active = await this.lifecycle.active(tx, { whaleActivityIds: ids }, MOST_CHANGES);
    await this.resolve(tx, active, 'A reorg removed the move.', causes);
    await this.pendingMoves.set(tx, moves, active.length === MOST_CHANGES);
  }

  /** Handles wallets whose watchers changed. */
  async watchersChanged(tx: SqlExecutor, wallets: readonly string[]): Promise<void> {
    const active = await this.lifecycle.active(tx, { whaleSubjects: wallets.map(walletSubject) });
    if (active.length === 0) return;
    const watchers = await this.watches.watchersOf(tx, wallets);
    const unwatched = active.filter(
      ({ accountId, whaleSubject }) => !watchers.get(walletOfSubject(whaleSubject ?? ''))?.has(accountId),
    );
    await this.resolve(tx, unwatched, 'The wallet is no longer watched.');
  }

  private get standingMs(): number {
    return this.config.WHALE_ALERT_MINUTES * MINUTE_MS;
  }

  private resolve(
    tx: SqlExecutor,
    alerts: readonly Alert[],
    message: string,
    causes: ReadonlyMap<string, Correlation> = new Map(),
  ): Promise<void> {
    return this.lifecycle.resolve(
      tx,
      alerts.map((alert) => ({
        alert,
        text: { title: alert.title, message },
        cause: causes.get(alert.whaleActivityId ?? '') ?? {},
      })),
    );
  }
}
