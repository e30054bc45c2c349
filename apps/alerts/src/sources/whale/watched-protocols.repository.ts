import { Injectable } from '@nestjs/common';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';

/** A row of `watched_protocols`. */
export interface WatchedProtocolRow {
  protocol: string;
  createdAtMs: number;
}

const COLUMNS = `protocol, (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs"`;

/** Stores which protocols accounts watch for whale moves. */
@Injectable()
export class WatchedProtocolsRepository {
  constructor(private readonly pool: Pool) {}

  /** Newest first. */
  async list(accountId: string): Promise<WatchedProtocolRow[]> {
    const { rows } = await this.pool.query<WatchedProtocolRow>(
      `SELECT ${COLUMNS} FROM watched_protocols WHERE account_id = $1 ORDER BY created_at DESC, protocol`,
      [accountId],
    );
    return rows;
  }

  /**
   * Returns the row of a new or existing watch. Null when the account watches as many protocols as it may.
   */
  async watch(
    accountId: string,
    protocol: string,
    atMs: number,
    most: number,
  ): Promise<WatchedProtocolRow | null> {
    return inTransaction(this.pool, async (tx) => {
      // Two concurrent requests must not both use the last free entry.
      await tx.query(
        `SELECT pg_advisory_xact_lock(hashtextextended('plimsoll:alerts:protocols:' || $1, 0))`,
        [accountId],
      );
      await tx.query(
        `INSERT INTO watched_protocols (account_id, protocol, created_at)
         SELECT $1, $2, to_timestamp($3::float8 / 1000)
         WHERE (SELECT count(*) FROM watched_protocols WHERE account_id = $1) < $4 ON CONFLICT DO NOTHING`,
        [accountId, protocol, atMs, most],
      );
      const { rows } = await tx.query<WatchedProtocolRow>(
        `SELECT ${COLUMNS} FROM watched_protocols WHERE account_id = $1 AND protocol = $2`,
        [accountId, protocol],
      );
      return rows[0] ?? null;
    });
  }

  /** Returns whether the protocol was watched. */
  async unwatch(accountId: string, protocol: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'DELETE FROM watched_protocols WHERE account_id = $1 AND protocol = $2',
      [accountId, protocol],
    );
    return rowCount === 1;
  }
}
