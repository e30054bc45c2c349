import { Injectable } from '@nestjs/common';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { type WatchedProtocol, PrismaClient } from '../../generated/prisma/client';

/** Stores which protocols accounts watch for whale moves. */
@Injectable()
export class WatchedProtocolsRepository {
  constructor(
    private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  /** Newest first. */
  list(accountId: string): Promise<WatchedProtocol[]> {
    return this.prisma.watchedProtocol.findMany({
      where: { accountId },
      orderBy: [{ createdAt: 'desc' }, { protocol: 'asc' }],
    });
  }

  /**
   * Returns the row of a new or existing watch. Null when the account watches as many protocols as it may.
   */
  async watch(
    accountId: string,
    protocol: string,
    atMs: number,
    most: number,
  ): Promise<WatchedProtocol | null> {
    await inTransaction(this.pool, async (tx) => {
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
    });
    const where = { accountId_protocol: { accountId, protocol } };
    return this.prisma.watchedProtocol.findUnique({ where });
  }

  /** Returns whether the protocol was watched. */
  async unwatch(accountId: string, protocol: string): Promise<boolean> {
    const { count } = await this.prisma.watchedProtocol.deleteMany({ where: { accountId, protocol } });
    return count === 1;
  }
}
