import { Injectable } from '@nestjs/common';
import { type WebhookEventType, firstIdAt } from '@plimsoll/contracts';
import { Conditions, type Statement } from '@plimsoll/service-kit';
import { Pool } from 'pg';

/** An event, read from the first of its deliveries to the account. */
export interface EventRow {
  deliveryId: string;
  eventId: string;
  /** The envelope as sent. */
  body: string;
  isTest: boolean;
}

/** Filters of GET /v1/events. */
export interface EventListFilter {
  sinceMs: number;
  type?: WebhookEventType | undefined;
  subject?: string | undefined;
}

/**
 * The query of a page. It reads at most one page of deliveries of each endpoint, including deleted ones, in the order of
 * an index (`deliveries_of_…`).
 */
export function listSql(
  accountId: string,
  { sinceMs, type, subject }: EventListFilter,
  beforeId: string | null,
  limit: number,
): Statement {
  const conditions = new Conditions();
  const [account, most] = [conditions.parameter(accountId), conditions.parameter(limit)];
  conditions.add('d.webhook_id = w.id');
  conditions.where((first) => `d.id >= ${first}`, firstIdAt('del', sinceMs));
  conditions.where((from) => `d.created_at >= ${from}`, new Date(sinceMs));
  conditions.where((before) => `d.id < ${before}`, beforeId);
  conditions.equal('d.event', type);
  conditions.equal('d.subject', subject);
  const text = `
SELECT page.* FROM webhooks w, LATERAL (
  SELECT d.id AS "deliveryId", d.event_id AS "eventId", d.body, d.is_test AS "isTest" FROM deliveries d
  WHERE ${conditions.sql}
    AND NOT EXISTS (SELECT 1 FROM deliveries earlier WHERE earlier.event_id = d.event_id
                    AND earlier.account_id = d.account_id AND earlier.id < d.id)
  ORDER BY d.id DESC LIMIT ${most}) page
WHERE w.account_id = ${account}
ORDER BY page."deliveryId" DESC LIMIT ${most}`;
  return { text, values: conditions.values };
}

/** The events of an account, each once for any number of endpoints. */
@Injectable()
export class EventsRepository {
  constructor(private readonly pool: Pool) {}

  /** Newest first. `beforeId` is the delivery of the previous page's last event. */
  async list(
    accountId: string,
    filter: EventListFilter,
    beforeId: string | null,
    limit: number,
  ): Promise<EventRow[]> {
    const { text, values } = listSql(accountId, filter, beforeId, limit);
    // Without a name, so that Postgres plans each run with its values: most types are rare and one is common.
    return (await this.pool.query<EventRow>({ text, values })).rows;
  }
}
