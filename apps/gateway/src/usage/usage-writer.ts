import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { GatewayConfig } from '../config';
import { Identity } from '../identity';
import { RequestTally } from './request-tally';
import { type UsageRow, lastUses, usageRows } from './usage-rows';

/** Counts are kept while Postgres is unavailable. Above this many rows the oldest are dropped. */
const MAX_UNWRITTEN_ROWS = 50_000;
const ROWS_PER_STATEMENT = 5_000;

const ADD_CALLS = `
INSERT INTO usage_days (account_id, day, endpoint, calls)
SELECT * FROM unnest($1::text[], $2::date[], $3::text[], $4::bigint[])
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
      this.dropOldest();
    }
  }

  private async addCalls(rows: readonly UsageRow[]): Promise<void> {
    await this.pool.query({
      name: 'add-calls',
      text: ADD_CALLS,
      values: [
        rows.map(({ accountId }) => accountId),
        rows.map(({ date }) => date),
        rows.map(({ endpoint }) => endpoint),
        rows.map(({ calls }) => calls),
      ],
    });
  }

  private dropOldest(): void {
    const excess = this.unwritten.length - MAX_UNWRITTEN_ROWS;
    if (excess <= 0) return;
    const byDay = this.unwritten.sort((a, b) => (a.date < b.date ? -1 : 1));
    this.unwritten = byDay.slice(excess);
    this.logger.error({ msg: 'usage was dropped: the database was unavailable for too long', rows: excess });
  }
}
