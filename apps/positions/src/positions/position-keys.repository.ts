import { Inject, Injectable } from '@nestjs/common';
import type { PositionKey } from '@plimsoll/contracts';
import type { RawPosition } from '@plimsoll/protocols';
import { Pool } from 'pg';
import { idOf, keyOf } from '../figures/position-key';
import { PrismaClient } from '../generated/prisma/client';

const MAX_CACHED = 50_000;

/**
 * The position of each position id. Rows are written when an id is first seen, also by a GET, and never
 * deleted.
 */
@Injectable()
export class PositionKeysRepository {
  /** Ids that are certainly in the table. It only saves statements. */
  private readonly stored = new Set<string>();

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  /** Null for an id that was never seen. */
  find(id: string): Promise<PositionKey | null> {
    return this.prisma.positionKey.findUnique({ where: { id } });
  }

  /** Stores the ids of these positions permanently. */
  async store(positions: readonly (PositionKey | RawPosition)[]): Promise<void> {
    const unknown = positions.filter((position) => !this.stored.has(idOf(position)));
    if (unknown.length === 0) return;
    const fresh = new Map(unknown.map((position) => [idOf(position), keyOf(position)]));
    const values = [...fresh.values()];
    await this.pool.query(
      `INSERT INTO position_keys (id, protocol, chain_id, market, sub_id, wallet)
       SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[]) ORDER BY 1
       ON CONFLICT (id) DO NOTHING`,
      [
        [...fresh.keys()],
        values.map(({ protocol }) => protocol),
        values.map(({ chainId }) => chainId),
        values.map(({ market }) => market),
        values.map(({ subId }) => subId),
        values.map(({ wallet }) => wallet),
      ],
    );
    if (this.stored.size + fresh.size > MAX_CACHED) this.stored.clear();
    for (const id of fresh.keys()) this.stored.add(id);
  }
}
