import { Injectable } from '@nestjs/common';
import { type LogInBody, Problem, invalidRequest, isId, notFound } from '@plimsoll/contracts';
import { GatewayConfig } from '../../config';
import { PrismaClient } from '../../generated/prisma/client';
import { addressSubject } from '../../limits/client-address';
import type { Actor } from '../audit/audit-entry';
import { AuditLog } from '../audit/audit-log';
import { AccountChangePublisher } from '../changes/account-change-publisher';
import { newAddressMail } from '../mail/mail-texts';
import { Mailer } from '../mail/mailer';
import { type Session, Sessions, hashSecretToken } from '../sessions/sessions';
import { AccountLimits } from './account-limits';
import { type Client, Devices } from './devices';
import { LogInDelays } from './log-in-delays';
import { Passwords } from './passwords';

export interface LoggedIn {
  token: string;
  session: Session;
  /** Token for the cookie of a browser that logs in for the first time. */
  newDevice: string | null;
}

/** Opens and ends sessions. */
@Injectable()
export class LogIn {
  constructor(
    private readonly config: GatewayConfig,
    private readonly prisma: PrismaClient,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly devices: Devices,
    private readonly delays: LogInDelays,
    private readonly audit: AuditLog,
    private readonly mailer: Mailer,
    private readonly limits: AccountLimits,
    private readonly announcer: AccountChangePublisher,
  ) {}

  /**
   * Every outcome takes the same work. Failures delay the client that caused them at this account only.
   * @throws Problem invalid_credentials, the same for a wrong password and for an unknown account;
   * email_not_verified with the right password, when verification is required; rate_limited
   */
  async logIn({ email, password }: LogInBody, client: Client): Promise<LoggedIn> {
    const { address, device } = client;
    const isKnown = await this.devices.isKnown(device, email);
    const delayed = isKnown ? `device:${device}` : addressSubject(address).id;
    const subject = hashSecretToken(`${delayed} ${email}`);
    await this.delays.check(subject);
    if (!isKnown) await this.limits.ofEmail('log-in-email', email);
    const account = await this.find(email);
    const pending = account?.emailVerifiedAt ? undefined : account?.mailTokens[0]?.passwordHash;
    const stored = account?.passwordHash ?? pending ?? null;
    if (!(await this.passwords.isRight(stored, password)) || !account) {
      await this.delays.failed(subject);
      // Not awaited, because its duration would reveal that the account exists.
      if (account) void this.note(account.id, 'log_in_failed', client);
      throw new Problem(
        'invalid_credentials',
        'E-mail address or password is wrong. Correct them, or set a new password.',
      );
    }
    await this.delays.succeeded(subject);
    const isUnverified = this.mailer.isEnabled && !account.emailVerifiedAt;
    if (isUnverified || account.passwordHash === null) {
      const detail =
        'Confirm the e-mail address first, with the code of the mail; email-check/send sends another.';
      throw new Problem('email_not_verified', detail);
    }
    const opened = await this.sessions.open(account.id, client);
    await this.announceAddress(account, address);
    await this.note(account.id, 'logged_in', client, opened.session.id);
    return { ...opened, newDevice: isKnown ? null : await this.devices.add(account.id) };
  }

  async logOut({ id, accountId }: Session, by: Actor): Promise<void> {
    await this.sessions.end(accountId, id, 'logged_out');
    this.announcer.announce(accountId);
    await this.audit.note({ accountId, action: 'logged_out', ...by });
  }

  /**
   * Ends a session of the account.
   * @throws Problem not_found
   */
  async endSession(accountId: string, id: string, by: Actor): Promise<void> {
    if (!isId('ses', id) || !(await this.sessions.end(accountId, id, 'ended'))) throw notFound('session');
    this.announcer.announce(accountId);
    await this.audit.note({ accountId, action: 'session_ended', details: { sessionId: id }, ...by });
  }

  /**
   * Records that the user of a session knows the password now.
   * @throws Problem invalid_request for another password; rate_limited
   */
  async confirm({ id, accountId }: Session, password: string, by: Actor): Promise<void> {
    await this.limits.ofPasswordChange(accountId);
    const { passwordHash } = await this.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
    if (!(await this.passwords.isRight(passwordHash, password))) {
      const message = 'This is not the password of the account. Correct it, or set another by mail.';
      throw invalidRequest([{ field: 'password', code: 'wrong_password', message }]);
    }
    await this.sessions.confirm(id);
    this.announcer.announce(accountId);
    await this.audit.note({ accountId, action: 'session_confirmed', ...by });
  }

  /** The account with the password of its newest sign-up, which is valid for it once a code confirms it. */
  private find(email: string) {
    return this.prisma.account.findUnique({
      where: { email },
      include: {
        mailTokens: {
          where: { purpose: 'verify_email', passwordHash: { not: null }, expiresAt: { gt: new Date() } },
          orderBy: { createdAt: 'desc' },
          take: 1,
        },
      },
    });
  }

  /** Mails the owner when an account is used from an address for the first time, except for the very first. */
  private async announceAddress(
    { id, email }: { id: string; email: string },
    address: string,
  ): Promise<void> {
    if (!this.mailer.isEnabled) return;
    const before = { accountId: id, action: 'logged_in' };
    const [all, same] = await Promise.all([
      this.prisma.auditEntry.findFirst({ where: before, select: { id: true } }),
      this.prisma.auditEntry.findFirst({ where: { ...before, address }, select: { id: true } }),
    ]);
    if (!all || same) return;
    this.mailer.send(async () => newAddressMail(email, address, this.config.PUBLIC_URL));
  }

  private note(
    accountId: string,
    action: 'logged_in' | 'log_in_failed',
    { address, userAgent }: Client,
    sessionId: string | null = null,
  ): Promise<void> {
    return this.audit.note({ accountId, action, actor: 'visitor', address, userAgent, sessionId });
  }
}
