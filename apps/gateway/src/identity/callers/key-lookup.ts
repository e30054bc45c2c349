import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { OLDER_KEYS } from '../keys/stored-key';
import { type Caller, type CallerRow, toCaller } from './caller';

/** Most keys in one statement. Keys that arrive meanwhile go into the next one. */
const MAX_KEYS_PER_QUERY = 200;

const FIND = {
  name: 'find-api-keys',
  text: `
    SELECT k.key_hash, k.id, k.account_id, a.tier, k.test_tier, a.requests_per_minute, k.scopes, k.expires_at,
      ${OLDER_KEYS} AS older_keys
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
    WHERE k.key_hash = ANY($1::text[]) AND k.revoked_at IS NULL`,
};

interface Waiting {
  hash: string;
  resolve: (record: Caller | null) => void;
  reject: (error: unknown) => void;
}

/** Finds keys in Postgres, all simultaneous ones in one statement. */
@Injectable()
export class KeyLookup {
  private waiting: Waiting[] = [];
  private isRunning = false;

  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Returns the key with this SHA-256, or null when it does not exist or was revoked. */
  find(hash: string): Promise<Caller | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ hash, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const part = this.waiting.splice(0, MAX_KEYS_PER_QUERY);
      try {
        const { rows } = await this.pool.query<CallerRow>(FIND, [part.map(({ hash }) => hash)]);
        const found = new Map(rows.map((row) => [row.key_hash, toCaller(row)]));
        for (const { hash, resolve } of part) resolve(found.get(hash) ?? null);
      } catch (error) {
        for (const { reject } of part) reject(error);
      }
    }
    this.isRunning = false;
  }
}
