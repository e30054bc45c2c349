import { Injectable } from '@nestjs/common';
import { type SqlExecutor, lines } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import type { Turn } from './divide';
import type { AddressedEvent } from './new-deliveries';

const APPEND = `
INSERT INTO waiting_events (account_id, events, created_at)
SELECT account_id, events, $3 FROM unnest(string_to_array($1, E'\\n'), string_to_array($2, E'\\n'))
  WITH ORDINALITY AS turn (account_id, events, position) ORDER BY position`;

/** Bounds the table. A flood of 200,000 events has 4,000 turns. */
const MAX_TURNS = 4_000;

const COUNT = `SELECT count(*)::int AS turns FROM (SELECT FROM waiting_events LIMIT ${MAX_TURNS}) AS turn`;

/** The first turn of the next account whose first turn no other process has taken. */
const TAKE = `
WITH RECURSIVE firsts (account_id, id) AS (
  (SELECT account_id, id FROM waiting_events WHERE account_id > $1 ORDER BY account_id, id LIMIT 1)
  UNION ALL
  SELECT next.* FROM firsts, LATERAL (
    SELECT account_id, id FROM waiting_events
    WHERE account_id > firsts.account_id ORDER BY account_id, id LIMIT 1) next
), taken AS (
  SELECT free.* FROM firsts, LATERAL (
    SELECT account_id, id, events FROM waiting_events
    WHERE account_id = firsts.account_id AND id = firsts.id FOR UPDATE SKIP LOCKED) free
  LIMIT 1
)
DELETE FROM waiting_events USING taken
WHERE waiting_events.account_id = taken.account_id AND waiting_events.id = taken.id
RETURNING taken.account_id AS "accountId", taken.events`;

/** Events that wait for a turn of their account. */
@Injectable()
export class WaitingEventsRepository {
  constructor(private readonly clock: Clock) {}

  /** Returns false, and appends nothing, when the table is full. */
  async append(tx: SqlExecutor, turns: readonly Turn[]): Promise<boolean> {
    const { rows } = await tx.query<{ turns: number }>({ name: 'count-turns', text: COUNT });
    if ((rows[0]?.turns ?? 0) >= MAX_TURNS) return false;
    await tx.query({ name: 'append-turns', text: APPEND }, [
      lines(turns.map(({ accountId }) => accountId)),
      lines(turns.map(({ events }) => JSON.stringify(events.map(storable)))),
      new Date(this.clock.now()),
    ]);
    return true;
  }

  /**
   * Removes and returns the next turn. Accounts take turns in the order of their ids, and the turns of an account
   * follow each other. Null: no account after this one has a turn.
   */
  async take(tx: SqlExecutor, afterAccountId: string): Promise<Turn | null> {
    const { rows } = await tx.query<{ accountId: string; events: string }>(
      { name: 'take-turn', text: TAKE },
      [afterAccountId],
    );
    const [row] = rows;
    return row ? { accountId: row.accountId, events: JSON.parse(row.events) as AddressedEvent[] } : null;
  }
}

/**
 * Throws for a text that no column can have. The event would otherwise fail in each of its turns and never become
 * a dead letter.
 */
function storable(addressed: AddressedEvent): AddressedEvent {
  const { requestId, traceparent } = addressed.event;
  if (requestId?.includes('\0') || traceparent?.includes('\0'))
    throw new Error('a header of the event contains a NUL character');
  return addressed;
}
