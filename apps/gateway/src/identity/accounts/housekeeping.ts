import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';

const INTERVAL_MS = 3_600_000;
/** Most rows of each cleanup. The next hour deletes the rest. */
const MAX_ROWS = 10_000;

const past = (table: string, key: string, condition: string): string =>
  `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${MAX_ROWS})`;

/** Sessions, codes, devices and accounts that were never confirmed are deleted when they expire. The audit log and usage are kept for 400 days. */
const CLEANUPS = [
  past('sessions', 'id', 'expires_at < now()'),
  past('mail_tokens', 'token_hash', 'expires_at < now()'),
  past('devices', 'token_hash', 'expires_at < now()'),
  past('log_in_failures', 'subject_hash', 'expires_at < now()'),
  past(
    'accounts',
    'id',
    `expires_at < now() AND NOT EXISTS (SELECT FROM api_keys k WHERE k.account_id = accounts.id)`,
  ),
  past('audit_entries', 'id', `created_at < now() - interval '400 days'`),
  past('usage_days', 'ctid', 'day < current_date - 400'),
];

/** Deletes expired rows once an hour. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('housekeeping');
  private timer?: NodeJS.Timeout;

  constructor(private readonly pool: Pool) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.clean(), INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async clean(): Promise<void> {
    for (const cleanup of CLEANUPS) {
      try {
        await this.pool.query(cleanup);
      } catch (error) {
        this.logger.warn({
          msg: 'a cleanup failed; the next one is in an hour',
          reason: (error as Error).message,
        });
      }
    }
  }
}
