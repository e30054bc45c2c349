import { Injectable } from '@nestjs/common';
import { type Correlation, newId } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { continueCorrelation } from '@plimsoll/service-kit';
import { alertWithoutPosition } from '../../lifecycle/alert-without-position';
import { Clock } from '../../clock';
import { AlertsConfig } from '../../config';
import { PendingMovesRepository } from './pending-moves.repository';
import { type CausedMove, type WhaleAlert, walletSubject, whaleText } from './whale-alert';
import { WhaleAlertsRepository } from './whale-alerts.repository';

const MINUTE_MS = 60_000;
/** Most alerts that one transaction opens or resolves: about two seconds of work. */
const MOST_CHANGES = 10_000;

/**
 * Opens and resolves alerts about whale moves. The alert.v1 event of each is part of the caller's
 * transaction.
 */
@Injectable()
export class WhaleAlerts {
  constructor(
    private readonly repository: WhaleAlertsRepository,
    private readonly pendingMoves: PendingMovesRepository,
    private readonly config: AlertsConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Handles the present state of moves, each once. Notifies some thousands of accounts. The poller notifies
   * the rest. The caller holds the watch lock.
   */
  async notify(tx: SqlExecutor, moves: readonly CausedMove[]): Promise<void> {
    if (moves.length === 0) return;
    await this.repository.lock(tx);
    await this.reverted(
      tx,
      moves.filter(({ move }) => move.status === 'reverted'),
    );
    await this.observed(
      tx,
      moves.filter(({ move }) => move.status === 'observed'),
    );
  }

  /** Notifies further accounts about moves with pending notifications. Returns true when more may remain. */
  async notifyPending(tx: SqlExecutor): Promise<boolean> {
    if (!(await this.pendingMoves.any(tx))) return false;
    await this.repository.lock(tx);
    await this.notify(tx, await this.pendingMoves.some(tx));
    return this.pendingMoves.any(tx);
  }

  /** Notifies the watchers of the wallet, and for very large moves every account with a position there. */
  private async observed(tx: SqlExecutor, moves: readonly CausedMove[]): Promise<void> {
    if (moves.length === 0) return;
    const nowMs = this.clock.now();
    // A back-fill finds old moves.
    const fresh = moves.filter(({ move }) => Date.parse(move.timestamp) > nowMs - this.standingMs);
    const pending = await this.repository.pendingNotifications(
      tx,
      fresh.map(({ move }) => move),
      this.config.WHALE_PROTOCOL_MIN_USD,
      MOST_CHANGES,
    );
    const opened = pending.map(({ accountId, subject, severity, place }) => {
      const cause = fresh[place]!;
      const alert: WhaleAlert = {
        id: newId('alt'),
        accountId,
        subject,
        activityId: cause.move.activityId,
        severity,
        ...whaleText(cause.move),
        createdAtMs: nowMs,
        expiresAtMs: nowMs + this.standingMs,
      };
      return { alert, cause };
    });
    await this.repository.insert(
      tx,
      opened.map(({ alert }) => alert),
    );
    await appendToOutbox(
      tx,
      opened.map(({ alert, cause }) => alertEvent(alert, alert.message, null, cause)),
    );
    const hasMore = pending.length === MOST_CHANGES;
    await this.pendingMoves.set(tx, moves, false);
    if (hasMore) await this.pendingMoves.set(tx, fresh, true);
  }

  /** Resolves alerts about moves that a reorg removed. */
  private async reverted(tx: SqlExecutor, moves: readonly CausedMove[]): Promise<void> {
    if (moves.length === 0) return;
    const causes = new Map(moves.map((each) => [each.move.activityId, each]));
    const nowMs = this.clock.now();
    const resolved = await this.repository.resolveOfMoves(tx, nowMs, [...causes.keys()], MOST_CHANGES);
    await this.publishResolved(tx, resolved, nowMs, 'The chain took the move back.', causes);
    await this.pendingMoves.set(tx, moves, resolved.length === MOST_CHANGES);
  }

  /** Handles wallets whose watchers changed. */
  async watchersChanged(tx: SqlExecutor, wallets: readonly string[]): Promise<void> {
    const nowMs = this.clock.now();
    const resolved = await this.repository.resolveUnwatched(tx, nowMs, wallets.map(walletSubject));
    await this.publishResolved(tx, resolved, nowMs, 'The wallet is no longer watched.');
  }

  /** Returns true when more may remain. */
  async expire(tx: SqlExecutor, limit: number): Promise<boolean> {
    const nowMs = this.clock.now();
    const resolved = await this.repository.resolveExpired(tx, nowMs, limit);
    const minutes = this.config.WHALE_ALERT_MINUTES;
    await this.publishResolved(tx, resolved, nowMs, `The move is ${minutes} minutes ago.`);
    return resolved.length === limit;
  }

  private get standingMs(): number {
    return this.config.WHALE_ALERT_MINUTES * MINUTE_MS;
  }

  private async publishResolved(
    tx: SqlExecutor,
    alerts: readonly WhaleAlert[],
    nowMs: number,
    message: string,
    causes: ReadonlyMap<string, Correlation> = new Map(),
  ): Promise<void> {
    await appendToOutbox(
      tx,
      alerts.map((alert) => alertEvent(alert, message, nowMs, causes.get(alert.activityId) ?? {})),
    );
  }
}

function alertEvent(
  alert: WhaleAlert,
  message: string,
  resolvedAtMs: number | null,
  { requestId, traceparent }: Correlation,
): ReturnType<typeof outgoing> {
  const value = alertWithoutPosition({
    ...alert,
    type: 'whale_move',
    message,
    confidenceScore: 1,
    resolvedAtMs,
  });
  return outgoing('alert.v1', value, continueCorrelation(requestId, traceparent));
}
