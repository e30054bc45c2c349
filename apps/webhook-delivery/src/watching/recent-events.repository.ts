import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { WebhookEvent } from '../events/webhook-event';

/**
 * How long an event waits for a watch that is not known yet: far longer than one topic lags behind another.
 */
export const RECENT_MS = 3_600_000;

/** A webhook event about a position of a wallet. */
export interface WalletEvent {
  wallet: string;
  /** When it was created, milliseconds since 1970. */
  madeAtMs: number;
  event: WebhookEvent;
}

/** An account began to watch a wallet. */
export interface NewWatch {
  accountId: string;
  wallet: string;
  sinceMs: number;
}

/** Webhook events about positions of the last hour. */
@Injectable()
export class RecentEventsRepository {
  async remember(tx: SqlExecutor, events: readonly WalletEvent[]): Promise<void> {
    await tx.query(
      `INSERT INTO recent_position_events (event_id, wallet, made_at, event)
       SELECT event_id, wallet, to_timestamp(made_at_ms / 1000), event
       FROM unnest($1::text[], $2::text[], $3::float8[], $4::jsonb[]) AS recent (event_id, wallet, made_at_ms, event)
       ON CONFLICT DO NOTHING`,
      [
        events.map(({ event }) => event.eventId),
        events.map(({ wallet }) => wallet),
        events.map(({ madeAtMs }) => madeAtMs),
        events.map(({ event }) => JSON.stringify(event)),
      ],
    );
  }

  /** Returns the events since each watch began, oldest first. */
  async findSince(
    tx: SqlExecutor,
    watches: readonly NewWatch[],
  ): Promise<{ accountId: string; event: WebhookEvent }[]> {
    const { rows } = await tx.query<{ accountId: string; event: WebhookEvent }>(
      `SELECT watch.account_id AS "accountId", recent.event
       FROM unnest($1::text[], $2::text[], $3::float8[]) AS watch (account_id, wallet, since_ms)
       JOIN recent_position_events recent
         ON recent.wallet = watch.wallet AND recent.made_at >= to_timestamp(watch.since_ms / 1000)
       ORDER BY recent.made_at, recent.event_id`,
      [
        watches.map(({ accountId }) => accountId),
        watches.map(({ wallet }) => wallet),
        watches.map(({ sinceMs }) => sinceMs),
      ],
    );
    return rows;
  }

  /** Deletes events older than an hour. */
  async forget(tx: SqlExecutor, nowMs: number): Promise<void> {
    await tx.query('DELETE FROM recent_position_events WHERE made_at < $1', [new Date(nowMs - RECENT_MS)]);
  }
}
