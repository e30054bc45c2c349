import { Injectable } from '@nestjs/common';
import { firstIdAt } from '@plimsoll/contracts';
import { Pool } from 'pg';

/**
 * Skips rows that another instance is deleting. Attempts are deleted with their delivery, without a
 * constraint.
 */
const DELETE_DELIVERIES = `
WITH deleted AS (
  DELETE FROM deliveries WHERE id IN (
    SELECT id FROM deliveries WHERE id < $1 AND created_at < $2 AND due_at IS NULL AND lease IS NULL
    ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING id
), forgotten AS (
  DELETE FROM attempts WHERE delivery_id IN (SELECT id FROM deleted)
)
SELECT FROM deleted`;

const DELETE_WEBHOOKS = `
DELETE FROM webhooks WHERE id IN (
  SELECT id FROM webhooks w
  WHERE deleted_at < $1 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = w.id)
  LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const FORGET_SECRETS = `
UPDATE webhooks SET secret_key_id = next_secret_key_id, secret_sealed = next_secret_sealed,
                    next_secret_key_id = NULL, next_secret_sealed = NULL, secret_overlap_ends_at = NULL
WHERE id IN (
  SELECT id FROM webhooks WHERE secret_overlap_ends_at <= $1 AND deleted_at IS NULL
  LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)`;

/** Each method deletes at most `limit` rows and returns their number. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly pool: Pool) {}

  /** Deletes completed deliveries, and with them their events, that are older than the given time. */
  deleteDeliveries(beforeMs: number, limit: number): Promise<number> {
    // Below that id every row is older than the time by at least the slack of firstIdAt.
    return this.#run(DELETE_DELIVERIES, [firstIdAt('del', beforeMs), new Date(beforeMs), limit]);
  }

  /** Deletes endpoints that were deleted before the given time and have no rows in the log. */
  deleteWebhooks(beforeMs: number, limit: number): Promise<number> {
    return this.#run(DELETE_WEBHOOKS, [new Date(beforeMs), limit]);
  }

  /** Replaces secrets whose overlap has ended by the next one. */
  forgetSecrets(nowMs: number, limit: number): Promise<number> {
    return this.#run(FORGET_SECRETS, [new Date(nowMs), limit]);
  }

  async #run(sql: string, values: unknown[]): Promise<number> {
    return (await this.pool.query(sql, values)).rowCount ?? 0;
  }
}
