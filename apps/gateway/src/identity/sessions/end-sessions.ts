import type { SessionEnding } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { Prisma } from '../../generated/prisma/client';
import { publish } from '../database/prisma';

/**
 * Deletes sessions and publishes their ends, with the transaction.
 * @param which condition on the table
 * @returns how many it deleted
 */
export async function endSessions(
  tx: Prisma.TransactionClient,
  ending: SessionEnding,
  which: Prisma.Sql,
): Promise<number> {
  // One statement, so that a session that opens meanwhile is either kept or published.
  const ended = await tx.$queryRaw<{ id: string; account_id: string }[]>(
    Prisma.sql`DELETE FROM sessions WHERE ${which} RETURNING id, account_id`,
  );
  const endedAt = new Date().toISOString();
  await publish(
    tx,
    ended.map(({ id, account_id }) =>
      outgoing('session.v1', { sessionId: id, accountId: account_id, endedAt, ending }),
    ),
  );
  return ended.length;
}
