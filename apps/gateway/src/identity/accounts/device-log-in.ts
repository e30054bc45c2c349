import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Problem, type ProblemCode, SCOPES, type Scope, USER_CODE_LETTERS } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';
import { type Actor, auditRow } from '../audit/audit-entry';
import { lockAccount } from '../database/prisma';
import { AccountKeys } from '../keys/account-keys';
import type { ShownKey } from '../keys/stored-key';
import { type Session, hashSecretToken, newSecretToken } from '../sessions/sessions';
import { AccountLimits } from './account-limits';
import type { Client } from './devices';

export const CODE_LIFE_SECONDS = 600;
export const POLL_INTERVAL_SECONDS = 5;
/** A program on a laptop is lost more easily than a server, so its key ends by itself. */
const KEY_LIFE_MS = 90 * 86_400_000;
const USER_CODE_LENGTH = 8;
/** A code equals one of a million others once in 25,000 times. */
const MOST_ATTEMPTS = 3;

/** RFC 8628: five seconds more for this and all later requests. */
const NOTE_POLL = `
WITH before AS (SELECT next_poll_at > now() AS "isEarly", interval_seconds FROM device_codes
  WHERE device_code_hash = $1 FOR UPDATE)
UPDATE device_codes d SET
  interval_seconds = before.interval_seconds + CASE WHEN before."isEarly" THEN ${POLL_INTERVAL_SECONDS} ELSE 0 END,
  next_poll_at = now() + make_interval(secs =>
    before.interval_seconds + CASE WHEN before."isEarly" THEN ${POLL_INTERVAL_SECONDS} ELSE 0 END)
FROM before WHERE d.device_code_hash = $1 RETURNING before."isEarly"`;

const EXPIRED = new Problem(
  'expired_token',
  'This code is unknown, was used or has expired. Start the log-in again.',
);

const UNKNOWN = new Problem(
  'not_found',
  'No log-in waits for this code. Compare it with the device, or start the log-in again there.',
);

type DeviceCode = Prisma.DeviceCodeGetPayload<object>;

/** A key that a program received, with the address of its account. */
export interface DeviceKey {
  key: ShownKey & { key: string };
  email: string;
}

/**
 * Log-ins of programs by device code (RFC 8628). A signed-in user approves the code that the program shows, and the
 * program then receives an API key.
 */
@Injectable()
export class DeviceLogIn {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly pool: Pool,
    private readonly keys: AccountKeys,
    private readonly limits: AccountLimits,
  ) {}

  /** Issues both codes. Only this result contains them. */
  async issue(
    { name, scopes = SCOPES }: { name: string; scopes?: readonly Scope[] },
    { address, userAgent }: Client,
  ): Promise<{ deviceCode: string; userCode: string }> {
    const deviceCode = newSecretToken();
    const expiresAt = new Date(Date.now() + CODE_LIFE_SECONDS * 1_000);
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const userCode = newUserCode();
      const { count } = await this.prisma.deviceCode.createMany({
        data: {
          deviceCodeHash: hashSecretToken(deviceCode),
          userCodeHash: hashSecretToken(userCode),
          name,
          scopes: [...scopes],
          address,
          userAgent,
          intervalSeconds: POLL_INTERVAL_SECONDS,
          expiresAt,
        },
        skipDuplicates: true,
      });
      if (count === 1) return { deviceCode, userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}` };
    }
    throw new Problem(
      'upstream_unavailable',
      'Too many log-ins wait at this moment. Try again in a minute.',
      {
        headers: { 'Retry-After': '60' },
      },
    );
  }

  /**
   * Returns what a program requests, for the user who decides.
   * @throws Problem not_found, rate_limited
   */
  async find(userCode: string, { accountId }: Session): Promise<DeviceCode & { keyExpiresAt: Date }> {
    await this.limits.ofUserCode(accountId);
    const found = await this.prisma.deviceCode.findFirst({ where: undecided(userCode) });
    if (!found) throw UNKNOWN;
    return { ...found, keyExpiresAt: keyEnd() };
  }

  /**
   * Records the decision of a user. It cannot be changed.
   * @throws Problem not_found, also for a code that was decided; not_signed_in, rate_limited
   */
  async decide(
    userCode: string,
    decision: 'approved' | 'denied',
    { id: sessionId, accountId }: Session,
    by: Actor,
  ): Promise<void> {
    await this.limits.ofUserCode(accountId);
    await this.prisma.$transaction(async (tx) => {
      // A new password ends sessions and approved codes under the same lock.
      await lockAccount(tx, accountId);
      if ((await tx.session.count({ where: { id: sessionId } })) === 0)
        throw new Problem('not_signed_in', 'The session has ended. Log in again.');
      const [decided] = await tx.deviceCode.updateManyAndReturn({
        where: undecided(userCode),
        data: { decision, accountId, sessionId },
      });
      if (!decided) throw UNKNOWN;
      const action = decision === 'approved' ? 'device_approved' : 'device_denied';
      const details = { name: decided.name, device: decided.address };
      await tx.auditEntry.create({ data: auditRow({ accountId, action, details, ...by }) });
    });
  }

  /**
   * Exchanges a device code for a key, once.
   * @throws Problem authorization_pending, slow_down, access_denied, expired_token, quota_reached
   */
  async redeem(deviceCode: string, { address, userAgent }: Client): Promise<DeviceKey> {
    const deviceCodeHash = hashSecretToken(deviceCode);
    const found = await this.prisma.deviceCode.findUnique({ where: { deviceCodeHash } });
    if (!found || found.expiresAt <= new Date()) throw EXPIRED;
    if (found.decision === 'denied')
      throw new Problem(
        'access_denied',
        'The user denied the request. Start the log-in again for another request.',
      );
    const { accountId, sessionId, name, scopes } = found;
    if (accountId === null) throw notYet(await this.isEarly(deviceCodeHash));
    return this.prisma.$transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const usable = { deviceCodeHash, decision: 'approved', expiresAt: { gt: new Date() } };
      const { count } = await tx.deviceCode.deleteMany({ where: usable });
      if (count === 0) throw EXPIRED;
      const wanted = { name, scopes: scopes as Scope[], expiresAt: keyEnd(), kind: 'live' as const };
      const by: Actor = { actor: 'session', sessionId, address, userAgent };
      const key = await this.keys.createIn(tx, accountId, wanted, by);
      const { email } = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
      return { key, email };
    });
  }

  /** Returns true when the program sends its request before the interval has passed, which then becomes longer. */
  private async isEarly(deviceCodeHash: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ isEarly: boolean }>(NOTE_POLL, [deviceCodeHash]);
    return rows[0]?.isEarly ?? false;
  }
}

const undecided = (userCode: string): Prisma.DeviceCodeWhereInput => ({
  userCodeHash: hashSecretToken(userCode),
  decision: null,
  expiresAt: { gt: new Date() },
});

const keyEnd = (): Date => new Date(Date.now() + KEY_LIFE_MS);

/** 34 random bits. A guess also needs a session, and its attempts are limited. */
const newUserCode = (): string =>
  Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]).join(
    '',
  );

function notYet(isEarly: boolean): Problem {
  const [code, detail]: [ProblemCode, string] = isEarly
    ? ['slow_down', `Wait ${POLL_INTERVAL_SECONDS} seconds longer between all further requests.`]
    : ['authorization_pending', 'The user has not decided yet. Send the request again after the interval.'];
  return new Problem(code, detail);
}
