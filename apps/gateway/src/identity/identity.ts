import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type AccountV1, Problem, notFound } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import { accountLimits } from './accounts/accounts';
import { ApiKeys, presentedKey } from './callers/api-keys';
import type { Caller } from './callers/caller';
import { SessionCallers } from './callers/session-callers';

/** The last use is written at most once a minute for each key, over all processes. */
const SET_LAST_USED = `
WITH due AS (
  SELECT k.id, used.at FROM api_keys k
  JOIN unnest($1::text[], $2::timestamptz[]) AS used (id, at) USING (id)
  WHERE k.last_used_at IS NULL OR k.last_used_at <= used.at - interval '1 minute'
  ORDER BY k.id FOR NO KEY UPDATE OF k
)
UPDATE api_keys k SET last_used_at = due.at FROM due WHERE k.id = due.id`;

/** All that the rest of the gateway needs of accounts, keys and sessions. */
@Injectable()
export class Identity {
  constructor(
    private readonly keys: ApiKeys,
    private readonly sessions: SessionCallers,
    private readonly prisma: PrismaClient,
    private readonly pool: Pool,
  ) {}

  /**
   * Immediate for a cached key or session.
   * @param mayGuess false for a client that sent too many invalid keys
   * @returns the caller of a request by its key, or by its session when it has no key, or the problem
   */
  callerOf(request: IncomingMessage, mayGuess: () => boolean): Caller | Problem | Promise<Caller | Problem> {
    const presented = presentedKey(request.rawHeaders);
    return presented instanceof Problem
      ? this.sessions.insteadOf(presented, request, mayGuess)
      : this.keys.authenticate(presented, mayGuess);
  }

  /** @throws Problem not_found */
  async limitsOf(accountId: string): Promise<AccountV1['limits']> {
    const account = await this.prisma.account.findUnique({ where: { id: accountId } });
    if (!account) throw notFound('account');
    return accountLimits(account);
  }

  /** @param uses milliseconds since 1970 by the id of the key */
  async recordUses(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return;
    const times = [...uses.values()].map((ms) => new Date(ms));
    await this.pool.query({ name: 'set-last-used', text: SET_LAST_USED, values: [[...uses.keys()], times] });
  }
}
