import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type ApiKeyRecord, type ApiKeyRow, toApiKeyRecord } from './api-key-record';

/** Most keys in one statement. Keys that arrive meanwhile go into the next one. */
const MAX_KEYS_A_QUERY = 200;

/** Live keys of the account of key `k` that precede it under the tier's cap. */
export const OLDER_KEYS = `
  (SELECT count(*)::int FROM api_keys older
    WHERE older.account_id = k.account_id AND older.revoked_at IS NULL
      AND (older.expires_at IS NULL OR older.expires_at > now()) AND older.replaced_by_id IS NULL
      AND (older.held_since, older.id) < (k.held_since, k.id))`;

const FIND = {
  name: 'find-api-keys',
  text: `
    SELECT k.key_hash, k.id, k.account_id, a.tier, a.requests_per_minute, k.scopes, k.expires_at,
      ${OLDER_KEYS} AS older_keys
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
    WHERE k.key_hash = ANY($1::text[]) AND k.revoked_at IS NULL`,
};

interface Waiting {
  hash: string;
  resolve: (record: ApiKeyRecord | null) => void;
  reject: (error: unknown) => void;
}

/** Finds keys in Postgres, all simultaneous ones in one statement. */
@Injectable()
export class KeyLookup {
  private waiting: Waiting[] = [];
  private isRunning = false;

  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Returns the key with this SHA-256, or null when it does not exist or was revoked. */
  find(hash: string): Promise<ApiKeyRecord | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ hash, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const part = this.waiting.splice(0, MAX_KEYS_A_QUERY);
      try {
        const { rows } = await this.pool.query<ApiKeyRow>(FIND, [part.map(({ hash }) => hash)]);
        const found = new Map(rows.map((row) => [row.key_hash, toApiKeyRecord(row)]));
        for (const { hash, resolve } of part) resolve(found.get(hash) ?? null);
      } catch (error) {
        for (const { reject } of part) reject(error);
      }
    }
    this.isRunning = false;
  }
}
