import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '@plimsoll/access';
import type {
  HistoricalSnapshot,
  HistoricalSnapshots,
  WhaleActivityItem,
  WhaleActivityList,
} from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import type { Reading } from './reading';
import { ServiceReader } from './service-reader';

const DAY_MS = 86_400_000;
const PAGE = 200;
const MAX_PAGES = 5;

/**
 * The history of a position and the actions of its wallet. Empty: there is none, or the sheet states why
 * it cannot be read.
 */
@Injectable()
export class HistoryReader {
  constructor(
    private readonly services: ServiceReader,
    private readonly clock: Clock,
  ) {}

  /** Snapshots of a position since a time, newest first. */
  async snapshots(reading: Reading, positionId: string, sinceMs: number): Promise<HistoricalSnapshot[]> {
    const wanted = Math.ceil((this.clock.now() - sinceMs) / DAY_MS) + 1;
    const days = Math.min(wanted, TIER_LIMITS[reading.identity.tier].historyDays);
    const query = new URLSearchParams({ positionId, days: String(days), limit: String(PAGE) });
    const found: HistoricalSnapshot[] = [];
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const path = `/v1/analytics/historical?${query}`;
      const read = await this.services.get<HistoricalSnapshots>(reading, 'positions', path);
      if (read.state !== 'read') return found;
      const { snapshots, nextCursor } = read.body;
      const recent = snapshots.filter(({ createdAt }) => Date.parse(createdAt) >= sinceMs);
      found.push(...recent);
      if (nextCursor === null || recent.length < snapshots.length) return found;
      query.set('cursor', nextCursor);
    }
    return found;
  }

  /** The actions of a wallet in a protocol since a time, of any value. The newest 200. */
  async moves(
    reading: Reading,
    wallet: string,
    protocol: string,
    sinceMs: number,
  ): Promise<WhaleActivityItem[]> {
    const since = new Date(sinceMs).toISOString();
    const query = new URLSearchParams({ wallet, protocol, since, minUsd: '0', limit: String(PAGE) });
    const path = `/v1/whales/activity?${query}`;
    const read = await this.services.get<WhaleActivityList>(reading, 'whales', path);
    return read.state === 'read' ? read.body.activity : [];
  }
}
