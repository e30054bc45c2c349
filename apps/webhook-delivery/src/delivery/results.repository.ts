import { Injectable } from '@nestjs/common';
import { type SqlExecutor, appendToOutbox } from '@plimsoll/event-bus';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { followEndpointHealth } from '../endpoints/endpoint-health';
import { type AttemptResult, type ClaimedResult, deliveryEvent, isNews } from './attempt-result';

/** A result of a lease that has ended meanwhile is not taken: another process holds the delivery. */
const RECORD = `
WITH result AS (
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::int[], $5::int[], $6::timestamptz[], $7::timestamptz[])
    AS result (id, lease, state, attempts, status_code, at, next_attempt_at)
)
UPDATE deliveries d
SET state = result.state, attempts = result.attempts, due_at = result.next_attempt_at, lease = NULL,
    last_status_code = coalesce(result.status_code, d.last_status_code),
    finished_at = CASE WHEN result.next_attempt_at IS NULL THEN result.at END
FROM result WHERE d.id = result.id AND d.lease = result.lease
RETURNING d.id`;

const LOG_ATTEMPTS = `
INSERT INTO attempts (delivery_id, attempt, started_at, duration_ms, status_code, error, response_head)
SELECT * FROM unnest($1::text[], $2::int[], $3::timestamptz[], $4::float8[], $5::int[], $6::text[], $7::text[])`;

/** Writes what attempts came to, with the event that tells of it in the same transaction. */
@Injectable()
export class ResultsRepository {
  constructor(private readonly pool: Pool) {}

  /** Returns the results that were taken. */
  async record(results: readonly ClaimedResult[]): Promise<ClaimedResult[]> {
    return inTransaction(this.pool, async (tx) => {
      const { rows } = await tx.query<{ id: string }>({
        name: 'record-results',
        text: RECORD,
        values: [
          results.map(({ delivery }) => delivery.deliveryId),
          results.map(({ delivery }) => delivery.lease.id),
          results.map(({ state }) => state),
          results.map(({ attempts }) => attempts),
          results.map(({ sent }) => sent?.statusCode ?? null),
          results.map(({ atMs }) => new Date(atMs)),
          results.map(({ nextAttemptAtMs }) => (nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs))),
        ],
      });
      const ids = new Set(rows.map(({ id }) => id));
      const taken = results.filter(({ delivery }) => ids.has(delivery.deliveryId));
      await this.follow(tx, taken);
      return taken;
    });
  }

  /** What belongs to results beside the delivery itself: the attempt log, the endpoint's health, the event. */
  async follow(tx: SqlExecutor, results: readonly AttemptResult[]): Promise<void> {
    const attempts = results.flatMap(({ delivery, attempts, sent }) =>
      sent === null ? [] : [{ deliveryId: delivery.deliveryId, attempt: attempts, sent }],
    );
    if (attempts.length > 0) {
      await tx.query({ name: 'log-attempts', text: LOG_ATTEMPTS }, [
        attempts.map(({ deliveryId }) => deliveryId),
        attempts.map(({ attempt }) => attempt),
        attempts.map(({ sent }) => new Date(sent.startedAtMs)),
        attempts.map(({ sent }) => sent.durationMs),
        attempts.map(({ sent }) => sent.statusCode),
        attempts.map(({ sent }) => sent.error),
        attempts.map(({ sent }) => ('responseHead' in sent ? sent.responseHead : '')),
      ]);
    }
    const disabled = await followEndpointHealth(tx, results);
    await appendToOutbox(
      tx,
      results.filter(isNews).map((result) => deliveryEvent(result, disabled.get(result.delivery.deliveryId))),
    );
  }
}
