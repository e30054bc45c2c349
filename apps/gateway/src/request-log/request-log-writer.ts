import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { RequestLogPartitions } from './request-log-partitions';
import { type LoggedRequest, RequestLog, countRows } from './request-log';

const INTERVAL_MS = 1_000;
const ROWS_PER_STATEMENT = 2_000;

/** One parameter, because the process spends less time on one text than on eight arrays. */
const INSERT = `
INSERT INTO request_log (account_id, created_at, request_id, method, path, status, duration_ms, key_id)
SELECT "accountId", to_timestamp("createdAtMs" / 1000), "requestId", method, path, status, "durationMs", "keyId"
FROM json_to_recordset($1) AS r ("accountId" text, "createdAtMs" double precision, "requestId" text, method text, path text,
  status smallint, "durationMs" double precision, "keyId" text)`;

/** Writes the rows once a second, and the rest at a graceful stop. */
@Injectable()
export class RequestLogWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('request-log');
  private timer?: NodeJS.Timeout;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly log: RequestLog,
    private readonly partitions: RequestLogPartitions,
    private readonly pool: Pool,
  ) {}

  onApplicationBootstrap(): void {
    let isWriting = false;
    this.timer = setInterval(() => {
      this.log.nextSecond();
      if (isWriting) return;
      isWriting = true;
      this.writing = this.write().finally(() => (isWriting = false));
    }, INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    await this.write();
    countRows('dropped', this.log.take(Number.POSITIVE_INFINITY).length);
  }

  private async write(): Promise<void> {
    for (;;) {
      const rows = this.log.take(ROWS_PER_STATEMENT);
      if (rows.length === 0) return;
      if (!(await this.insert(rows))) return this.log.putBack(rows);
    }
  }

  private async insert(rows: readonly LoggedRequest[]): Promise<boolean> {
    try {
      await this.pool.query({ name: 'log-requests', text: INSERT, values: [JSON.stringify(rows)] });
      countRows('written', rows.length);
      return true;
    } catch (error) {
      this.logger.warn({ msg: 'the request log waits for the database', reason: (error as Error).message });
      // Without the partition of the oldest row, this process would never write.
      await this.partitions.make(new Date(rows[0]!.createdAtMs)).catch(() => undefined);
      return false;
    }
  }
}
