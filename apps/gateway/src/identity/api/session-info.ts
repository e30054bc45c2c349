import type { SessionInfo, Tier } from '@plimsoll/contracts';
import type { Session } from '../sessions/sessions';
import { accountLimits } from '../accounts/account';

/** Returns what a signed-in browser may see of its session. */
export function toSessionInfo({ accountId, account, ...session }: Session): SessionInfo {
  const tier = account.tier as Tier;
  return {
    account: {
      id: accountId,
      email: account.email,
      emailVerifiedAt: account.emailVerifiedAt?.toISOString() ?? null,
      tier,
      createdAt: account.createdAt.toISOString(),
      limits: accountLimits(tier, account.requestsPerMinute),
    },
    session: {
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      endsAt: session.endsAt.toISOString(),
    },
  };
}
