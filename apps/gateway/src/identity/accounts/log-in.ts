import { Injectable } from '@nestjs/common';
import { type LogInBody, Problem } from '@plimsoll/contracts';
import { AuditLog } from '../audit/audit-log';
import { PrismaClient } from '../../generated/prisma/client';
import { AccountChangePublisher } from '../changes/account-change-publisher';
import { Mailer } from '../mail/mailer';
import { type Session, Sessions } from '../sessions/sessions';
import { AccountLimits } from './account-limits';
import { Passwords } from './passwords';

/** Opens and ends sessions. */
@Injectable()
export class LogIn {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly audit: AuditLog,
    private readonly mailer: Mailer,
    private readonly limits: AccountLimits,
    private readonly announcer: AccountChangePublisher,
  ) {}

  /**
   * @throws Problem invalid_credentials, the same for a wrong password and for an unknown account;
   * email_not_verified with the right password, when verification is required; rate_limited
   */
  async logIn({ email, password }: LogInBody, address: string): Promise<{ token: string; session: Session }> {
    await this.limits.ofEmail('log-in-email', email);
    const account = await this.prisma.account.findUnique({ where: { email } });
    if (!(await this.passwords.isRight(account?.passwordHash ?? null, password)) || !account) {
      // Not awaited, because its duration would reveal that the account exists.
      if (account) void this.note(account.id, 'log_in_failed', address);
      throw new Problem(
        'invalid_credentials',
        'E-mail address or password is wrong. Correct them, or set a new password.',
      );
    }
    if (this.mailer.isEnabled && !account.emailVerifiedAt) {
      const detail =
        'Confirm the e-mail address first, with the code of the mail; email-check/send sends another.';
      throw new Problem('email_not_verified', detail);
    }
    const opened = await this.sessions.open(account.id);
    await this.note(account.id, 'logged_in', address);
    return opened;
  }

  async logOut({ id, accountId }: Session, address: string): Promise<void> {
    await this.sessions.end(id);
    this.announcer.announce(accountId);
    await this.audit.note({ accountId, action: 'logged_out', actor: 'session', address });
  }

  private note(accountId: string, action: 'logged_in' | 'log_in_failed', address: string): Promise<void> {
    return this.audit.note({ accountId, action, actor: 'visitor', address });
  }
}
