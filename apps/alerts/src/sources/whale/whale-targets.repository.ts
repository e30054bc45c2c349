import { Injectable } from '@nestjs/common';
import type { Severity, WhaleV1 } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';

/** An account to notify. */
export interface PendingNotification {
  accountId: string;
  subject: string;
  severity: Severity;
  /** Index of the move in the list. */
  place: number;
}

/** Reads the accounts to notify about whale moves. */
@Injectable()
export class WhaleTargetsRepository {
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
         -- An account that watches the wallet itself receives only the alert about the wallet.
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
}
