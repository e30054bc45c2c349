import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { Problem, SCOPES, type Tier } from '@plimsoll/contracts';
import { GatewayConfig } from '../../config';
import { AccountChanges } from '../changes/account-changes';
import { type Caller, SESSION_KEY_ID } from './caller';
import { CallerCache, withLookupDeadline } from './caller-cache';
import { windowOffsetMs } from '../../limits/verdict';
import { FOREIGN, isForeignCall, ownOrigin, sessionToken } from '../sessions/browser-session';
import { hashSecretToken, type Session, Sessions } from '../sessions/sessions';

/** Requests a minute of all sessions of an account, separate from the limits of its keys. */
const CALLS_PER_MINUTE = 600;
const MAX_AGE_MS = 5_000;
const MAX_AGE_UNSUBSCRIBED_MS = 800;

const NOT_SIGNED_IN = new Problem(
  'not_signed_in',
  'The session has ended. Log in again, or send an API key in x-api-key.',
);
const UNAVAILABLE = new Problem(
  'upstream_unavailable',
  'Sessions cannot be checked at the moment. Try again.',
  {
    headers: { 'Retry-After': '1' },
  },
);
/** Lets a signed-in browser use /v1 with its account's tier, all scopes, and separate limits. */
@Injectable()
export class SessionCalls {
  private readonly logger = new Logger('sessions');
  private readonly cache: CallerCache;

  constructor(
    private readonly config: GatewayConfig,
    sessions: Sessions,
    private readonly changes: AccountChanges,
  ) {
    this.cache = new CallerCache(async (tokenHash) => {
      const session = await sessions.find(tokenHash);
      return session && callerOf(session);
    });
    changes.listen({
      changed: (accountId) => this.cache.forgetAccount(accountId),
      missed: () => this.cache.clear(),
    });
  }

  /**
   * @returns the caller of the session, or the problem; immediately `otherwise` when the request has no
   * session
   */
  insteadOf(otherwise: Problem, request: IncomingMessage): Caller | Problem | Promise<Caller | Problem> {
    if (otherwise.code !== 'missing_api_key' || !request.headers.cookie) return otherwise;
    const own = ownOrigin(this.config.PUBLIC_URL, request.headers.host);
    const token = sessionToken(request.headers.cookie, own.startsWith('https:'));
    if (token === undefined) return otherwise;
    return isForeignCall(request.headers, own) ? FOREIGN : this.find(token);
  }

  private async find(token: string): Promise<Caller | Problem> {
    try {
      const maxAgeMs = this.changes.isLive() ? MAX_AGE_MS : MAX_AGE_UNSUBSCRIBED_MS;
      const found = this.cache.get(hashSecretToken(token), performance.now(), maxAgeMs);
      const caller = found instanceof Promise ? await withLookupDeadline(found) : found;
      const isOver = caller?.expiresAtMs != null && caller.expiresAtMs <= Date.now();
      return caller === null || isOver ? NOT_SIGNED_IN : caller;
    } catch (error) {
      this.logger.error({ msg: 'a session lookup failed', err: error });
      return UNAVAILABLE;
    }
  }
}

function callerOf({ accountId, expiresAt, account }: Session): Caller {
  const subjectId = `session:${accountId}`;
  return {
    keyId: SESSION_KEY_ID,
    accountId,
    tier: account.tier as Tier,
    scopes: SCOPES,
    expiresAtMs: expiresAt.getTime(),
    isAboveCap: false,
    subject: { id: subjectId, offsetMs: windowOffsetMs(subjectId) },
    figures: { perMinute: CALLS_PER_MINUTE, perDay: null },
  };
}
