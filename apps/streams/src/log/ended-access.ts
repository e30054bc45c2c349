import { Injectable } from '@nestjs/common';
import { ENDPOINTS } from '@plimsoll/access';
import {
  type AccountV1,
  type Identity,
  type KeyV1,
  STREAMS,
  type SessionV1,
  type StreamName,
  type Tier,
  tierIncludes,
} from '@plimsoll/contracts';

/** Why a connection ends: the name of its close code. */
export type Ending = 'keyRotated' | 'keyRevoked' | 'sessionEnded' | 'accountEnded' | 'forbidden';

/** The part of a caller that may end. */
export type Holder = Pick<Identity, 'accountId' | 'keyId'>;

/** A ticket or a connection attempt of a session that ended is refused for this long; both expire sooner. */
const SESSION_MS = 600_000;

const tierOf = (stream: StreamName): Tier =>
  ENDPOINTS.find(({ path }) => path === `/v1/streams/${stream}`)?.tier ?? 'enterprise';
const TIERS = Object.fromEntries(STREAMS.map((stream) => [stream, tierOf(stream)])) as Record<
  StreamName,
  Tier
>;

/**
 * Keys and sessions that end or have ended, and the tiers of accounts: from key.v1, session.v1 and account.v1. The
 * gateway publishes each in the transaction of the change, so none is lost.
 */
@Injectable()
export class EndedAccess {
  /** Ends by the id of the key or session. */
  private readonly byId = new Map<string, { endsAtMs: number; ending: Ending }>();
  /** Keys and sessions whose end was not reported yet. */
  private readonly pending = new Set<string>();
  /** Ids of sessions in the order of their ends. */
  private readonly sessions = new Set<string>();
  /** Null: the account no longer exists. */
  private readonly tiers = new Map<string, Tier | null>();
  private readonly changedAccounts = new Set<string>();

  /** @param value null: the key no longer exists */
  applyKey(keyId: string, value: KeyV1 | null): void {
    if (!value?.endsAt) this.byId.delete(keyId);
    else {
      const ending = value.ending === 'rotated' ? 'keyRotated' : 'keyRevoked';
      this.byId.set(keyId, { endsAtMs: Date.parse(value.endsAt), ending });
      this.pending.add(keyId);
    }
  }

  /** @param nowMs milliseconds since 1970 */
  applySession({ sessionId, endedAt }: SessionV1, nowMs: number): void {
    for (const id of this.sessions) {
      if ((this.byId.get(id)?.endsAtMs ?? 0) > nowMs - SESSION_MS) break;
      this.sessions.delete(id);
      this.byId.delete(id);
    }
    // The clock of the gateway may be ahead of this one, and the session has ended anyway.
    this.byId.set(sessionId, { endsAtMs: Math.min(Date.parse(endedAt), nowMs), ending: 'sessionEnded' });
    this.sessions.add(sessionId);
    this.pending.add(sessionId);
  }

  /** @param value null: the account no longer exists */
  applyAccount(accountId: string, value: AccountV1 | null): void {
    this.tiers.set(accountId, value?.tier ?? null);
    this.changedAccounts.add(accountId);
  }

  /**
   * Returns null while the caller may have the stream, as far as events say.
   * @param nowMs milliseconds since 1970
   */
  endingOf({ accountId, keyId }: Holder, stream: StreamName, nowMs: number): Ending | null {
    const tier = this.tiers.get(accountId);
    if (tier === null) return 'accountEnded';
    const known = this.byId.get(keyId);
    if (known && known.endsAtMs <= nowMs) return known.ending;
    return tier !== undefined && !tierIncludes(tier, TIERS[stream]) ? 'forbidden' : null;
  }

  /**
   * Returns whether anything ended since the last call, so that an unchanged state costs no scan of all
   * connections.
   * @param nowMs milliseconds since 1970
   */
  hasEndings(nowMs: number): boolean {
    let hasEnded = this.changedAccounts.size > 0;
    this.changedAccounts.clear();
    for (const id of this.pending) {
      const known = this.byId.get(id);
      if (known && known.endsAtMs > nowMs) continue;
      this.pending.delete(id);
      hasEnded ||= known !== undefined;
    }
    return hasEnded;
  }
}
