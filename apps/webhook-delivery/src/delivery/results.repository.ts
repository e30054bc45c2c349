import { Injectable } from '@nestjs/common';
import { type SqlExecutor, appendToOutbox, idsUnlessAll, itemsOf, lines } from '@plimsoll/event-bus';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { followEndpointHealth } from './endpoint-health';
import { USER_AGENT } from '../outgoing/delivery-request';
import {
  type AttemptResult,
  type ClaimedResult,
  type SentResult,
  deliveryEvent,
  isSignificant,
} from './attempt-result';
import { END_LEASES } from './delivery-queue';
import { type Lease, emptiedLeases, releaseLeases } from './lease';

/**
 * A result whose lease has expired is not written, because another process holds the delivery. A skipped
 * delivery has no attempt. Most parameters are text, and only what a receiver sent may contain line breaks.
 */
const RECORD = `
WITH ended AS (${END_LEASES}), result AS (
  SELECT id, lease::uuid, state, attempts, status_code, to_timestamp(at_ms / 1000) AS at,
         to_timestamp(next_attempt_at_ms / 1000) AS next_attempt_at,
         to_timestamp(started_at_ms / 1000) AS started_at, duration_ms, error, response_head, response_headers, signatures
  FROM unnest(string_to_array($2, E'\\n'), string_to_array($3, E'\\n'), string_to_array($4, E'\\n'),
              string_to_array($5, E'\\n')::int[], string_to_array($6, E'\\n', '')::int[],
              string_to_array($7, E'\\n')::float8[], string_to_array($8, E'\\n', '')::float8[],
              string_to_array($9, E'\\n', '')::float8[], string_to_array($10, E'\\n', '')::float8[],
              string_to_array($11, E'\\n', ''), $12::text[], $14::text[],
              string_to_array($15, E'\\n', '')::smallint[])
    AS result (id, lease, state, attempts, status_code, at_ms, next_attempt_at_ms, started_at_ms, duration_ms, error,
               response_head, response_headers, signatures)
), taken AS (
  UPDATE deliveries d
  SET state = result.state, attempts = result.attempts, due_at = result.next_attempt_at, lease = NULL,
      last_status_code = coalesce(result.status_code, d.last_status_code),
      finished_at = CASE WHEN result.next_attempt_at IS NULL THEN result.at END
  FROM result WHERE d.id = result.id AND d.lease = result.lease
  RETURNING d.id, result.attempts, started_at, duration_ms, result.status_code, error, response_head,
            response_headers, $16::text AS user_agent, result.signatures
), logged AS (
  INSERT INTO attempts (delivery_id, attempt, started_at, duration_ms, status_code, error, response_head,
                        response_headers, user_agent, signatures)
  SELECT * FROM taken WHERE started_at IS NOT NULL
)
${idsUnlessAll('taken', '$13::int')}`;

const LOG_ATTEMPT = `
INSERT INTO attempts (delivery_id, attempt, started_at, duration_ms, status_code, error, response_head,
                      response_headers, user_agent, signatures)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** Writes the results of attempts, with their event in the same transaction. */
@Injectable()
export class ResultsRepository {
  constructor(private readonly pool: Pool) {}

  /** Returns the results that were written. */
  async record(results: readonly ClaimedResult[]): Promise<ClaimedResult[]> {
    const taken = await this.#record(results);
    releaseLeases(leasesOf(results));
    return taken;
  }

  /** Writes an attempt whose delivery the caller writes. */
  async recordTest(tx: SqlExecutor, result: AttemptResult & { sent: SentResult }): Promise<void> {
    const { delivery, attempts, sent } = result;
    const { startedAtMs, durationMs, statusCode, error } = sent;
    await tx.query(LOG_ATTEMPT, [
      delivery.deliveryId,
      attempts,
      new Date(startedAtMs),
      durationMs,
      statusCode,
      error,
      responseHeadOf(sent),
      responseHeadersOf(sent),
      USER_AGENT,
      sent.signatures,
    ]);
    await follow(tx, [result]);
  }

  #record(results: readonly ClaimedResult[]): Promise<ClaimedResult[]> {
    // Most results are successes without consequences. Then the transaction is this one statement.
    if (!results.some(isSignificant)) return record(this.pool, results);
    return inTransaction(this.pool, async (tx) => {
      const taken = await record(tx, results);
      await follow(tx, taken);
      return taken;
    });
  }
}

function leasesOf(results: readonly ClaimedResult[]): Lease[] {
  return results.map(({ delivery }) => delivery.lease);
}

async function record(db: SqlExecutor, results: readonly ClaimedResult[]): Promise<ClaimedResult[]> {
  const { rows } = await db.query<{ ids: string[] | null }>({ name: 'record-results', text: RECORD }, [
    emptiedLeases(leasesOf(results)),
    lines(results.map(({ delivery }) => delivery.deliveryId)),
    lines(results.map(({ delivery }) => delivery.lease.id)),
    lines(results.map(({ state }) => state)),
    lines(results.map(({ attempts }) => attempts)),
    lines(results.map(({ sent }) => sent?.statusCode)),
    lines(results.map(({ atMs }) => atMs)),
    lines(results.map(({ nextAttemptAtMs }) => nextAttemptAtMs)),
    lines(results.map(({ sent }) => sent?.startedAtMs)),
    lines(results.map(({ sent }) => sent?.durationMs)),
    lines(results.map(({ sent }) => sent?.error)),
    results.map(({ sent }) => responseHeadOf(sent)),
    results.length,
    results.map(({ sent }) => responseHeadersOf(sent)),
    lines(results.map(({ sent }) => sent?.signatures)),
    USER_AGENT,
  ]);
  return itemsOf(rows, results, ({ delivery }) => delivery.deliveryId);
}

/** Writes the consequences of results: the endpoint's health and the event. */
async function follow(tx: SqlExecutor, results: readonly AttemptResult[]): Promise<void> {
  const disabled = await followEndpointHealth(tx, results);
  await appendToOutbox(
    tx,
    results
      .filter(isSignificant)
      .map((result) => deliveryEvent(result, disabled.get(result.delivery.deliveryId))),
  );
}

function responseHeadOf(sent: SentResult | null): string {
  return sent !== null && 'responseHead' in sent ? sent.responseHead : '';
}

function responseHeadersOf(sent: SentResult | null): string {
  return sent !== null && 'responseHeaders' in sent ? sent.responseHeaders : '';
}
