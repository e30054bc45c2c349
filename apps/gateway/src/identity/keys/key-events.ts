import type { KeyV1 } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import type { Prisma } from '../../generated/prisma/client';
import type { ShownKey } from './account-keys';

/** Publishes, with the transaction, the ends of keys for services that keep connections open. */
export async function publishEndings(tx: Prisma.TransactionClient, keys: readonly ShownKey[]): Promise<void> {
  const events = keys.map(toKeyV1).filter(({ endsAt }) => endsAt !== null);
  await appendToOutbox(
    executorOf(tx),
    events.map((event) => outgoing('key.v1', event)),
  );
}

/** A rotated key ends with its overlap, or at its own time when that comes first. */
export function toKeyV1({ id, accountId, revokedAt, expiresAt, replacedById }: ShownKey): KeyV1 {
  const endsAt = revokedAt ?? expiresAt;
  const ending = revokedAt ? 'revoked' : replacedById ? 'rotated' : 'expired';
  return { keyId: id, accountId, endsAt: endsAt && endsAt.toISOString(), ending: endsAt && ending };
}

function executorOf(tx: Prisma.TransactionClient): SqlExecutor {
  return {
    query: async (statement, values = []) => {
      const text = typeof statement === 'string' ? statement : statement.text;
      return { rows: [], rowCount: await tx.$executeRawUnsafe(text, ...values) };
    },
  };
}
