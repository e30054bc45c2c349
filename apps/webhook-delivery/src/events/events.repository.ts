import { Injectable } from '@nestjs/common';
import { type WebhookEventType, firstIdAt } from '@plimsoll/contracts';
import { Pool } from 'pg';

/** An event, read from the first of its deliveries to the account. */
export interface EventRow {
  deliveryId: string;
  eventId: string;
  /** The envelope as sent. */
  body: string;
  isTest: boolean;
}

/** Reads at most one page of deliveries of each endpoint, including deleted ones. */
const LIST = `
SELECT page.* FROM webhooks w, LATERAL (
  SELECT d.id AS "deliveryId", d.event_id AS "eventId", d.body, d.is_test AS "isTest" FROM deliveries d
  WHERE d.webhook_id = w.id AND d.id >= $2 AND d.created_at >= $3 AND ($4::text IS NULL OR d.id < $4)
    AND ($5::text IS NULL OR d.event = $5)
    AND NOT EXISTS (SELECT 1 FROM deliveries earlier WHERE earlier.event_id = d.event_id
                    AND earlier.account_id = d.account_id AND earlier.id < d.id)
  ORDER BY d.id DESC LIMIT $6) page
WHERE w.account_id = $1
ORDER BY page."deliveryId" DESC LIMIT $6`;

/** The events of an account, each once for any number of endpoints. */
@Injectable()
export class EventsRepository {
  constructor(private readonly pool: Pool) {}

  /** Newest first. `beforeId` is the delivery of the previous page's last event. */
  async list(
    accountId: string,
    sinceMs: number,
    type: WebhookEventType | null,
    beforeId: string | null,
    limit: number,
  ): Promise<EventRow[]> {
    const values = [accountId, firstIdAt('del', sinceMs), new Date(sinceMs), beforeId, type, limit];
    return (await this.pool.query<EventRow>(LIST, values)).rows;
  }
}
