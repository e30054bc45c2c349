import { Injectable } from '@nestjs/common';
import type { AlertItem, AlertList, IncidentAnswer, IncidentItem, IncidentList } from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import type { Fact } from './fact';
import type { Reading } from './reading';
import { type Read, ServiceReader } from './service-reader';

const PAGE = 200;
const MAX_PAGES = 5;

/** Alerts or incidents, newest first, with their total number. */
export interface Counted<T> {
  items: T[];
  count: Fact;
}

/** The account's own alerts and incidents. Null: they could not be read, and the sheet states the reason. */
@Injectable()
export class AlertsReader {
  constructor(
    private readonly services: ServiceReader,
    private readonly clock: Clock,
  ) {}

  /** @param sinceMs only those created at this time or later */
  async alerts(
    reading: Reading,
    status: 'active' | 'resolved' | null,
    sinceMs: number | null = null,
  ): Promise<Counted<AlertItem> | null> {
    const items = await this.pages<AlertItem>(reading, '/v1/alerts', status, sinceMs, 'alerts');
    const name = `alerts.${status ?? 'all'}${sinceMs === null ? '' : '.since'}.count`;
    return items && this.counted(reading, items, 'GET /v1/alerts', name, `number of ${status ?? ''} alerts`);
  }

  async incidents(
    reading: Reading,
    status: 'open' | 'closed' | null,
    sinceMs: number | null = null,
  ): Promise<Counted<IncidentItem> | null> {
    const items = await this.pages<IncidentItem>(reading, '/v1/incidents', status, sinceMs, 'incidents');
    const name = `incidents.${status ?? 'all'}${sinceMs === null ? '' : '.since'}.count`;
    return (
      items && this.counted(reading, items, 'GET /v1/incidents', name, `number of ${status ?? ''} incidents`)
    );
  }

  incident(reading: Reading, id: string): Promise<Read<IncidentAnswer>> {
    return this.services.get<IncidentAnswer>(reading, 'alerts', `/v1/incidents/${encodeURIComponent(id)}`);
  }

  private async pages<T extends AlertItem | IncidentItem>(
    reading: Reading,
    path: string,
    status: string | null,
    sinceMs: number | null,
    field: 'alerts' | 'incidents',
  ): Promise<T[] | null> {
    const query = new URLSearchParams({ limit: String(PAGE) });
    if (status !== null) query.set('status', status);
    const found: T[] = [];
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const read = await this.services.get<AlertList | IncidentList>(reading, 'alerts', `${path}?${query}`);
      if (read.state !== 'read') return null;
      const body = read.body as unknown as Record<typeof field, T[]> & { nextCursor: string | null };
      const recent = body[field].filter((item) => sinceMs === null || startOf(item) >= sinceMs);
      found.push(...recent);
      // Newest first: the first old one ends the search.
      if (body.nextCursor === null || recent.length < body[field].length) return found;
      query.set('cursor', body.nextCursor);
    }
    reading.sheet.lacks(`GET ${path}`, `Only the newest ${PAGE * MAX_PAGES} were read.`);
    return found;
  }

  private counted<T>(reading: Reading, items: T[], source: string, id: string, label: string): Counted<T> {
    const time = new Date(this.clock.now()).toISOString();
    return { items, count: reading.sheet.add(id, label, items.length, 'count', { time, source }) };
  }
}

function startOf(item: AlertItem | IncidentItem): number {
  return Date.parse('openedAt' in item ? item.openedAt : item.createdAt);
}
