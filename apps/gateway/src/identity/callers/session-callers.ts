import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '@plimsoll/access';
import { Problem, SCOPES, type Tier } from '@plimsoll/contracts';
import { GatewayConfig } from '../../config';
import { AccountChanges } from '../changes/account-changes';
import type { Caller } from './caller';
import { LiveCallers } from './live-callers';
import { windowOffsetMs } from '../../limits/verdict';
import { FOREIGN, isForeignRequest, ownOrigin, sessionToken } from '../sessions/browser-session';
import { hashSecretToken, type Session, Sessions } from '../sessions/sessions';

/** Requests per minute of all sessions of an account, beside those of its keys. The day is the same. */
const REQUESTS_PER_MINUTE: Record<Tier, number> = { open: 60, pro: 120, business: 300, enterprise: 1_000 };

const NOT_SIGNED_IN = new Problem(
  'not_signed_in',
  'The session has ended. Log in again, or send an API key in x-api-key.',
);
/** Lets a signed-in browser use /v1 with its account's tier, all scopes, and separate limits. */
@Injectable()
export class SessionCallers {
  private readonly callers: LiveCallers;

  constructor(
    private readonly config: GatewayConfig,
    sessions: Sessions,
    changes: AccountChanges,
  ) {
    const find = async (tokenHash: string): Promise<Caller | null> => {
      const session = await sessions.find(tokenHash);
      return session && callerOf(session);
    };
    this.callers = new LiveCallers(changes, find, NOT_SIGNED_IN);
  }

  /**
   * @returns the caller of the session, or the problem; immediately `otherwise` when the request has no
   * session
   */
  insteadOf(
    otherwise: Problem,
    request: IncomingMessage,
    mayGuess: () => boolean,
  ): Caller | Problem | Promise<Caller | Problem> {
    if (otherwise.code !== 'missing_api_key' || !request.headers.cookie) return otherwise;
    const own = ownOrigin(this.config.PUBLIC_URL, request.headers.host);
    const token = sessionToken(request.headers.cookie, own.startsWith('https:'));
    if (token === undefined) return otherwise;
    return isForeignRequest(request.headers, own, this.config.PORTAL_ORIGIN)
      ? FOREIGN
      : this.callers.get(hashSecretToken(token), mayGuess);
  }
}

function callerOf({ id, accountId, expiresAt, authenticatedAt, account }: Session): Caller {
  const subjectId = `account:${accountId}`;
  const tier = account.tier as Tier;
  return {
    keyId: id,
    accountId,
    tier,
    scopes: SCOPES,
    authenticatedAt,
    expiresAtMs: expiresAt.getTime(),
    isAboveCap: false,
    subject: { id: subjectId, offsetMs: windowOffsetMs(subjectId), window: 'session' },
    figures: { perMinute: REQUESTS_PER_MINUTE[tier], perDay: TIER_LIMITS[tier].requestsPerDay },
  };
}
