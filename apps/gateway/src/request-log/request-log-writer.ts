import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { RequestLogPartitions } from './request-log-partitions';
import { RequestLog, SEPARATOR, countRows } from './request-log';

const INTERVAL_MS = 1_000;
const ROWS_PER_STATEMENT = 2_000;

/** One parameter with a line for each row. Postgres takes it apart, so that this process has time for requests. */
const INSERT = `
INSERT INTO request_log (account_id, created_at, request_id, method, path, status, duration_ms, key_id)
SELECT f[1], to_timestamp(f[2]::float8 / 1000), f[3], f[4], f[5], nullif(f[6], '')::smallint, f[7]::float8 / 1000, nullif(f[8], '')
FROM (SELECT string_to_array(line, E'\\t') AS f FROM unnest(string_to_array($1, E'\\n')) AS line) AS fields`;

const createdAtOf = (row: string): Date => new Date(Number(row.split(SEPARATOR)[1]));

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

  private async insert(rows: readonly string[]): Promise<boolean> {
    try {
      await this.pool.query({ name: 'log-requests', text: INSERT, values: [rows.join('\n')] });
      countRows('written', rows.length);
      return true;
    } catch (error) {
      this.logger.warn({ msg: 'the request log waits for the database', reason: (error as Error).message });
      // Without the partition of the oldest row, this process would never write.
      await this.partitions.make(createdAtOf(rows[0]!)).catch(() => undefined);
      return false;
    }
  }
}
