import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId } from '@plimsoll/contracts';
import { GatewayConfig } from '../../config';
import { Prisma, PrismaClient } from '../../generated/prisma/client';
import { endSessions } from './end-sessions';

const HOUR_MS = 3_600_000;
/** Use extends the expiry, but is written at most this often. */
const TOUCH_AFTER_MS = 300_000;
const MAX_SESSIONS_PER_ACCOUNT = 20;

const FOUND = {
  id: true,
  accountId: true,
  createdAt: true,
  lastSeenAt: true,
  expiresAt: true,
  endsAt: true,
  authenticatedAt: true,
  address: true,
  userAgent: true,
  account: {
    select: { email: true, emailVerifiedAt: true, tier: true, requestsPerMinute: true, createdAt: true },
  },
} satisfies Prisma.SessionSelect;

/** Where a session was opened. */
export interface Origin {
  address: string | null;
  userAgent: string | null;
}

/** An open session with its account. */
export type Session = Prisma.SessionGetPayload<{ select: typeof FOUND }>;

/**
 * Sessions of signed-in browsers. They end after a time without use, and at the latest after a fixed time.
 */
@Injectable()
export class Sessions {
  private readonly idleMs: number;
  private readonly longestMs: number;

  constructor(
    private readonly prisma: PrismaClient,
    config: GatewayConfig,
  ) {
    this.idleMs = config.SESSION_IDLE_HOURS * HOUR_MS;
    this.longestMs = config.SESSION_MAX_HOURS * HOUR_MS;
  }

  /**
   * Opens a session. Only this result contains the token, which is for the cookie. When there are too many,
   * the oldest ones end.
   */
  async open(
    accountId: string,
    { address, userAgent }: Origin,
    now = new Date(),
  ): Promise<{ token: string; session: Session }> {
    const token = newSecretToken();
    const endsAt = new Date(now.getTime() + this.longestMs);
    const data = {
      id: newId('ses'),
      accountId,
      tokenHash: hashSecretToken(token),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: this.expiry(now, endsAt),
      endsAt,
      authenticatedAt: now,
      address,
      userAgent,
    };
    const session = await this.prisma.$transaction(async (tx) => {
      const opened = await tx.session.create({ data, select: FOUND });
      const oldest = Prisma.sql`id IN (SELECT id FROM sessions WHERE account_id = ${accountId}
        ORDER BY created_at DESC OFFSET ${MAX_SESSIONS_PER_ACCOUNT})`;
      await endSessions(tx, 'replaced', oldest);
      return opened;
    });
    return { token, session };
  }

  /** Returns the open session of a token's hash, or null. The lookup counts as use. */
  async find(tokenHash: string, now = new Date()): Promise<Session | null> {
    const session = await this.prisma.session.findUnique({ where: { tokenHash }, select: FOUND });
    if (!session || session.expiresAt <= now) return null;
    if (now.getTime() - session.lastSeenAt.getTime() < TOUCH_AFTER_MS) return session;
    const seen = { lastSeenAt: now, expiresAt: this.expiry(now, session.endsAt) };
    await this.prisma.session.updateMany({ where: { id: session.id }, data: seen });
    return { ...session, ...seen };
  }

  /** Open sessions of an account, newest first. */
  list(accountId: string): Promise<Session[]> {
    return this.prisma.session.findMany({
      where: { accountId, expiresAt: { gt: new Date() } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      select: FOUND,
    });
  }

  /** Records that the password was sent again. */
  async confirm(id: string): Promise<void> {
    await this.prisma.session.updateMany({ where: { id }, data: { authenticatedAt: new Date() } });
  }

  /** @returns false when the account has no such session */
  async end(accountId: string, id: string, ending: 'logged_out' | 'ended'): Promise<boolean> {
    const which = Prisma.sql`account_id = ${accountId} AND id = ${id}`;
    return (await this.prisma.$transaction((tx) => endSessions(tx, ending, which))) > 0;
  }

  /** Deletes sessions whose time has passed, at most so many. */
  async endExpired(most: number): Promise<void> {
    const which = Prisma.sql`id IN (SELECT id FROM sessions WHERE expires_at < now() LIMIT ${most})`;
    await this.prisma.$transaction((tx) => endSessions(tx, 'expired', which));
  }

  private expiry(now: Date, endsAt: Date): Date {
    return new Date(Math.min(now.getTime() + this.idleMs, endsAt.getTime()));
  }
}

const RECENT_MS = 600_000;

/** Returns true within ten minutes of the password. Keys and secrets need it. */
export function isRecent(authenticatedAt: Date, now = new Date()): boolean {
  return now.getTime() - authenticatedAt.getTime() <= RECENT_MS;
}

/** Returns a new secret of 256 bits for a cookie or a mail: 43 characters of base64url. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns its stored form: SHA-256 as lower-case hex. So much randomness needs no slow hash. */
export function hashSecretToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
