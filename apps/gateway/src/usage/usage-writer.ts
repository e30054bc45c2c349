import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { GatewayConfig } from '../config';
import { Identity } from '../identity';
import { MinutePartitions } from './minute-partitions';
import { RequestTally } from './request-tally';
import { type UsageRow, lastUses, usageRows } from './usage-rows';

/** Counts are kept while Postgres is unavailable. Above this many rows the oldest are dropped. */
const MAX_UNWRITTEN_ROWS = 50_000;
const ROWS_PER_STATEMENT = 5_000;

/** Writes all sums or none. Each part is in the order of its key, so that no two writers deadlock. */
const ADD_CALLS = `
WITH counted AS (
  SELECT account_id, minute, (minute AT TIME ZONE 'UTC')::date AS day, key_id, endpoint, calls
  FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::bigint[])
    AS c (account_id, minute, key_id, endpoint, calls)
), by_key AS (
  INSERT INTO usage_keys (account_id, day, key_id, calls)
  SELECT account_id, day, key_id, sum(calls) FROM counted GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (account_id, day, key_id) DO UPDATE SET calls = usage_keys.calls + excluded.calls
), by_minute AS (
  INSERT INTO usage_minutes (account_id, minute, calls)
  SELECT account_id, minute, sum(calls) FROM counted GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (account_id, minute) DO UPDATE SET calls = usage_minutes.calls + excluded.calls
)
INSERT INTO usage_days (account_id, day, endpoint, calls)
SELECT account_id, day, endpoint, sum(calls) FROM counted GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
ON CONFLICT (account_id, day, endpoint) DO UPDATE SET calls = usage_days.calls + excluded.calls`;

/** Writes the counts in batches, and the rest at a graceful stop. */
@Injectable()
export class UsageWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('usage');
  private unwritten: UsageRow[] = [];
  private timer?: NodeJS.Timeout;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: GatewayConfig,
    private readonly tally: RequestTally,
    private readonly pool: Pool,
    private readonly identity: Identity,
    private readonly partitions: MinutePartitions,
  ) {}

  onApplicationBootstrap(): void {
    let isWriting = false;
    this.timer = setInterval(() => {
      if (isWriting) return;
      isWriting = true;
      this.writing = this.write().finally(() => (isWriting = false));
    }, this.config.USAGE_WRITE_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    await this.write();
  }

  private async write(): Promise<void> {
    const counted = this.tally.drain();
    this.unwritten = usageRows(counted, this.unwritten);
    try {
      while (this.unwritten.length > 0) {
        const part = this.unwritten.slice(0, ROWS_PER_STATEMENT);
        await this.addCalls(part);
        this.unwritten = this.unwritten.slice(part.length);
      }
      await this.identity.recordUses(lastUses(counted));
    } catch (error) {
      this.logger.warn({ msg: 'usage waits for the database', reason: (error as Error).message });
      // Without the partition of the oldest minute, this process would never write.
      await this.partitions.make(new Date(this.unwritten[0]?.minuteMs ?? Date.now())).catch(() => undefined);
      this.dropOldest();
    }
  }

  private async addCalls(rows: readonly UsageRow[]): Promise<void> {
    await this.pool.query({
      name: 'add-calls',
      text: ADD_CALLS,
      values: [
        rows.map(({ accountId }) => accountId),
        rows.map(({ minuteMs }) => new Date(minuteMs)),
        rows.map(({ keyId }) => keyId),
        rows.map(({ endpoint }) => endpoint),
        rows.map(({ calls }) => calls),
      ],
    });
  }

  private dropOldest(): void {
    const excess = this.unwritten.length - MAX_UNWRITTEN_ROWS;
    if (excess <= 0) return;
    this.unwritten = this.unwritten.slice(excess);
    this.logger.error({ msg: 'usage was dropped: the database was unavailable for too long', rows: excess });
  }
}
