import { Injectable } from '@nestjs/common';
import type { Severity, WhaleV1 } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { resolveAlerts, resolveExpiredAlerts } from '../../lifecycle/resolve-alerts';
import type { WhaleAlert } from './whale-alert';

/** SQL: selects alerts of this type. */
const KIND = 'whale_subject IS NOT NULL';
const COLUMNS = `id, account_id AS "accountId", whale_subject AS subject, whale_activity_id AS "activityId", severity,
  title, message, (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
  (extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAtMs"`;

/** An account to notify. */
export interface PendingNotification {
  accountId: string;
  subject: string;
  severity: Severity;
  /** Index of the move in the list. */
  place: number;
}

/** Stores alerts about whale moves, and reads the accounts to notify. */
@Injectable()
export class WhaleAlertsRepository {
  /** Serialises transactions that open such alerts, so that two about the same subject see each other. */
  async lock(tx: SqlExecutor): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('plimsoll:alerts:whales', 0))`);
  }

  /**
   * Returns at most `limit` accounts to notify that have no alert about the subject yet: watchers of the
   * wallet or the protocol, and for large moves watchers of a wallet with an open position in the protocol.
   * Of several moves about one subject, the first counts.
   */
  async pendingNotifications(
    tx: SqlExecutor,
    moves: readonly WhaleV1[],
    protocolMinUsd: number,
    limit: number,
  ): Promise<PendingNotification[]> {
    const { rows } = await tx.query<PendingNotification>(
      `WITH move AS (
         SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::float8[]) WITH ORDINALITY
           AS move (wallet, protocol, chain_id, usd, place)
       ), concerned AS (
         SELECT w.account_id, 'wallet|' || move.wallet AS subject, 'high' AS severity, place
         FROM move JOIN watches AS w ON w.wallet = move.wallet AND w.watching
         UNION ALL
         SELECT w.account_id, 'protocol|' || move.protocol || '|' || move.chain_id, 'medium', place
         FROM move
         JOIN positions AS p ON p.protocol = move.protocol AND p.chain_id = move.chain_id AND NOT p.closed
         JOIN watches AS w ON w.wallet = p.wallet AND w.watching
         -- An account that watches the wallet itself is told of that alone.
         LEFT JOIN watches AS own ON own.account_id = w.account_id AND own.wallet = move.wallet AND own.watching
         WHERE move.usd >= $5 AND own.wallet IS NULL
         UNION ALL
         SELECT asked.account_id, 'protocol|' || move.protocol || '|' || move.chain_id, 'medium', place
         FROM move
         JOIN watched_protocols AS asked ON asked.protocol = move.protocol
         LEFT JOIN watches AS own ON own.account_id = asked.account_id AND own.wallet = move.wallet AND own.watching
         WHERE own.wallet IS NULL
       )
       SELECT DISTINCT ON (account_id, subject) account_id AS "accountId", subject, severity, place::int - 1 AS place
       FROM concerned
       WHERE NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.account_id = concerned.account_id
         AND alerts.whale_subject = concerned.subject AND alerts.resolved_at IS NULL)
       ORDER BY account_id, subject, place LIMIT $6`,
      [
        moves.map(({ wallet }) => wallet),
        moves.map(({ protocol }) => protocol),
        moves.map(({ chainId }) => chainId),
        moves.map(({ usdValue }) => usdValue),
        protocolMinUsd,
        limit,
      ],
    );
    return rows;
  }

  async insert(tx: SqlExecutor, alerts: readonly WhaleAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    await tx.query(
      `INSERT INTO alerts (id, account_id, type, whale_subject, whale_activity_id, severity, title, message,
         confidence_score, created_at, expires_at)
       SELECT id, account_id, 'whale_move', subject, activity_id, severity, title, message, 1,
         to_timestamp(created_at_ms / 1000), to_timestamp(expires_at_ms / 1000)
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[],
         $9::float8[])
         AS alert (id, account_id, subject, activity_id, severity, title, message, created_at_ms, expires_at_ms)`,
      [
        alerts.map((alert) => alert.id),
        alerts.map((alert) => alert.accountId),
        alerts.map((alert) => alert.subject),
        alerts.map((alert) => alert.activityId),
        alerts.map((alert) => alert.severity),
        alerts.map((alert) => alert.title),
        alerts.map((alert) => alert.message),
        alerts.map((alert) => alert.createdAtMs),
        alerts.map((alert) => alert.expiresAtMs),
      ],
    );
  }

  /** Resolves alerts that these moves opened, at most `limit`. */
  async resolveOfMoves(
    tx: SqlExecutor,
    nowMs: number,
    activityIds: readonly string[],
    limit: number,
  ): Promise<WhaleAlert[]> {
    return this.resolve(
      tx,
      nowMs,
      `id IN (SELECT id FROM alerts WHERE whale_activity_id = ANY($2) AND resolved_at IS NULL LIMIT $3 FOR UPDATE)`,
      [activityIds, limit],
    );
  }

  /** Resolves alerts about a wallet that their account no longer watches. */
  async resolveUnwatched(tx: SqlExecutor, nowMs: number, subjects: readonly string[]): Promise<WhaleAlert[]> {
    return this.resolve(
      tx,
      nowMs,
      `whale_subject = ANY($2) AND NOT EXISTS (SELECT 1 FROM watches AS w WHERE w.account_id = alerts.account_id
         AND w.wallet = split_part(alerts.whale_subject, '|', 2) AND w.watching)`,
      [subjects],
    );
  }

  /** Resolves expired alerts, at most `limit`. */
  resolveExpired(tx: SqlExecutor, nowMs: number, limit: number): Promise<WhaleAlert[]> {
    return resolveExpiredAlerts(tx, nowMs, { columns: COLUMNS, kind: KIND }, limit);
  }

  private resolve(
    tx: SqlExecutor,
    nowMs: number,
    which: string,
    values: readonly unknown[],
  ): Promise<WhaleAlert[]> {
    const condition = `${KIND} AND ${which}`;
    return resolveAlerts(tx, nowMs, { columns: COLUMNS, condition, values });
  }
}
