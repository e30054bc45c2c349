import { Injectable } from '@nestjs/common';
import type { ChainV1 } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { PrismaClient } from '../generated/prisma/client';
import { Recent } from '../recent';

const FRESH_MS = 1_000;

/** The latest chain.v1 of every chain that the positions service follows. */
@Injectable()
export class ChainStates {
  private readonly recent: Recent<ChainV1[]>;

  constructor(prisma: PrismaClient) {
    this.recent = new Recent(async () => {
      const rows = await prisma.chain.findMany({ select: { event: true }, orderBy: { chainId: 'asc' } });
      return rows.map(({ event }) => event as unknown as ChainV1);
    }, FRESH_MS);
  }

  /** At most a second old. */
  all(): Promise<ChainV1[]> {
    return this.recent.get();
  }

  /** At most one state of each chain. */
  async save(tx: SqlExecutor, states: readonly ChainV1[]): Promise<void> {
    await tx.query(
      `INSERT INTO chains AS known (chain_id, event, updated_at)
       SELECT chain_id, event, updated_at FROM unnest($1::int[], $2::jsonb[], $3::timestamptz[])
         AS state (chain_id, event, updated_at)
       ON CONFLICT (chain_id) DO UPDATE SET event = excluded.event, updated_at = excluded.updated_at
         WHERE known.updated_at <= excluded.updated_at`,
      [
        states.map(({ chainId }) => chainId),
        states.map((state) => JSON.stringify(state)),
        states.map(({ updatedAt }) => updatedAt),
      ],
    );
  }
}
