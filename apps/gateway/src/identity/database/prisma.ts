import { type OutgoingEvent, appendToOutbox } from '@plimsoll/event-bus';
import { type Tier, notFound } from '@plimsoll/contracts';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';

/** A transaction waits for a connection as long as any other query of the pool does. */
const TRANSACTION_DEADLINES = { maxWait: 5_000, timeout: 10_000 };

/** Prisma on the gateway's own pool and schema, for rare queries. */
export function createPrisma(pool: Pool): PrismaClient {
  return new PrismaClient({
    adapter: new PrismaPg(pool, { schema: 'gateway' }),
    transactionOptions: TRANSACTION_DEADLINES,
  });
}

/**
 * Locks an account until the end of the transaction, and returns its tier.
 * @throws Problem not_found
 */
export async function lockAccount(tx: Prisma.TransactionClient, id: string): Promise<Tier> {
  const [account] = await tx.$queryRaw<
    { tier: Tier }[]
  >`SELECT tier FROM accounts WHERE id = ${id} FOR UPDATE`;
  if (!account) throw notFound('account');
  return account.tier;
}

/** Publishes events with the transaction. */
export function publish(tx: Prisma.TransactionClient, events: readonly OutgoingEvent[]): Promise<void> {
  return appendToOutbox(
    {
      query: async (statement, values = []) => {
        const text = typeof statement === 'string' ? statement : statement.text;
        return { rows: [], rowCount: await tx.$executeRawUnsafe(text, ...values) };
      },
    },
    events,
  );
}
