import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { Sessions } from '../sessions/sessions';

const INTERVAL_MS = 3_600_000;
/** More often, because streams of an expired session are open until it is deleted. */
const SESSIONS_INTERVAL_MS = 30_000;
/** Most rows of each cleanup. The next hour deletes the rest. */
const MAX_ROWS = 10_000;

const past = (table: string, key: string, condition: string): string =>
  `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${MAX_ROWS})`;

/** Codes, devices and accounts that were never confirmed are deleted when they expire. The audit log and usage are kept for 400 days. */
const CLEANUPS = [
  past('mail_tokens', 'token_hash', 'expires_at < now()'),
  past('devices', 'token_hash', 'expires_at < now()'),
  past('device_codes', 'device_code_hash', 'expires_at < now()'),
  past('log_in_failures', 'subject_hash', 'expires_at < now()'),
  past(
    'accounts',
    'id',
    `expires_at < now() AND NOT EXISTS (SELECT FROM api_keys k WHERE k.account_id = accounts.id)`,
  ),
  past('audit_entries', 'id', `created_at < now() - interval '400 days'`),
  past('usage_days', 'ctid', 'day < current_date - 400'),
  past('usage_keys', 'ctid', 'day < current_date - 400'),
];

/** Deletes expired rows once an hour, and expired sessions twice a minute. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('housekeeping');
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly pool: Pool,
    private readonly sessions: Sessions,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.push(
      setInterval(() => void this.clean(), INTERVAL_MS).unref(),
      setInterval(() => void this.endSessions(), SESSIONS_INTERVAL_MS).unref(),
    );
  }

  onApplicationShutdown(): void {
    this.timers.forEach((timer) => clearInterval(timer));
  }

  async clean(): Promise<void> {
    await this.endSessions();
    for (const cleanup of CLEANUPS) await this.attempt(() => this.pool.query(cleanup));
  }

  private endSessions(): Promise<void> {
    return this.attempt(() => this.sessions.endExpired(MAX_ROWS));
  }

  private async attempt(cleanup: () => Promise<unknown>): Promise<void> {
    try {
      await cleanup();
    } catch (error) {
      this.logger.warn({ msg: 'a cleanup failed; it is repeated', reason: (error as Error).message });
    }
  }
}
