import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { firstIdAt } from '../log/first-id-at';

/** Rows that another instance is deleting are left to it. Attempts go with their delivery; no constraint does that. */
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

/** Each call takes at most `limit` rows, and returns how many it took. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly pool: Pool) {}

  /** Deliveries at an end, and so events, that are older than a moment. */
  deleteDeliveries(beforeMs: number, limit: number): Promise<number> {
    // Below that id everything is older than the moment by the slack of firstIdAt at least.
    return this.#run(DELETE_DELIVERIES, [firstIdAt(beforeMs), new Date(beforeMs), limit]);
  }

  /** Endpoints that were deleted before a moment and have nothing left in the log. */
  deleteWebhooks(beforeMs: number, limit: number): Promise<number> {
    return this.#run(DELETE_WEBHOOKS, [new Date(beforeMs), limit]);
  }

  /** Secrets whose overlap has ended: the next one takes their place. */
  forgetSecrets(nowMs: number, limit: number): Promise<number> {
    return this.#run(FORGET_SECRETS, [new Date(nowMs), limit]);
  }

  async #run(sql: string, values: unknown[]): Promise<number> {
    return (await this.pool.query(sql, values)).rowCount ?? 0;
  }
}
