import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';

const NAME = 'market-data';

/** This instance no longer leads. The new leader writes the result instead. */
export class NotLeadingError extends Error {
  constructor() {
    super('This instance no longer leads. Nothing was written.');
  }
}

/**
 * The lease of the instance that reads the sources and publishes: one row, valid for a few seconds, on the
 * clock of the database.
 */
@Injectable()
export class LeaseRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Takes or renews the lease. Returns false while another instance holds it. */
  async acquire(holder: string, forMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `INSERT INTO leases AS lease (name, holder, held_until)
       VALUES ($1, $2, now() + $3 * interval '1 millisecond')
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
         WHERE lease.holder = excluded.holder OR lease.held_until < now()`,
      [NAME, holder, forMs],
    );
    return rowCount === 1;
  }

  /** Releases the lease, so that the next instance starts immediately. */
  async release(holder: string): Promise<void> {
    await this.pool.query('DELETE FROM leases WHERE name = $1 AND holder = $2', [NAME, holder]);
  }

  /**
   * Keeps the lease until the transaction ends.
   * @throws NotLeadingError when another instance holds it
   */
  async hold(tx: PoolClient, holder: string): Promise<void> {
    const { rowCount } = await tx.query({
      name: 'hold-lease',
      text: 'SELECT 1 FROM leases WHERE name = $1 AND holder = $2 AND held_until > now() FOR SHARE',
      values: [NAME, holder],
    });
    if (rowCount !== 1) throw new NotLeadingError();
  }
}
