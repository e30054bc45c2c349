import { Injectable } from '@nestjs/common';
import { type ChangePasswordBody, type ResetPasswordBody, invalidRequest } from '@plimsoll/contracts';
import type { Actor } from '../audit/audit-entry';
import { GatewayConfig } from '../../config';
import { PrismaClient } from '../../generated/prisma/client';
import { AccountChangePublisher } from '../changes/account-change-publisher';
import { passwordChangedMail, resetPasswordMail } from '../mail/mail-texts';
import { Mailer, tooManyMails } from '../mail/mailer';
import type { Session } from '../sessions/sessions';
import { AccountLimits } from './account-limits';
import { MailTokens, TOKEN_LIFE_MINUTES } from './mail-tokens';
import { Passwords } from './passwords';
import { setPassword } from './set-password';

/** Changes passwords, for users who know the old one and for users who read the account's mail. */
@Injectable()
export class Credentials {
  constructor(
    private readonly config: GatewayConfig,
    private readonly prisma: PrismaClient,
    private readonly passwords: Passwords,
    private readonly tokens: MailTokens,
    private readonly mailer: Mailer,
    private readonly limits: AccountLimits,
    private readonly announcer: AccountChangePublisher,
  ) {}

  /**
   * Ends all other sessions.
   * @throws Problem invalid_request when the current password is wrong; rate_limited
   */
  async change(
    { id, accountId, account: { email } }: Session,
    { currentPassword, newPassword }: ChangePasswordBody,
    by: Actor,
  ): Promise<void> {
    await this.limits.ofEmail('log-in-email', email);
    const stored = await this.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
    if (!(await this.passwords.isRight(stored.passwordHash, currentPassword))) {
      const message = 'This is not the password of the account. Correct it, or set another by mail.';
      throw invalidRequest([{ field: 'currentPassword', code: 'wrong_password', message }]);
    }
    const passwordHash = await this.passwords.hash(newPassword);
    await this.prisma.$transaction((tx) =>
      setPassword(tx, accountId, passwordHash, 'password_changed', by, id),
    );
    this.changed(accountId, email);
  }

  /** Mails a code. The response does not reveal whether the account exists. */
  async forgot(email: string, address: string): Promise<void> {
    await this.limits.ofEmail('mail-email', email);
    if (!this.mailer.isEnabled) return;
    const isQueued = this.mailer.send(async () => {
      const account = await this.prisma.account.findUnique({ where: { email } });
      if (!account) return null;
      const token = await this.tokens.issue(account.id, 'reset_password');
      return resetPasswordMail(email, token, this.config.PUBLIC_URL, TOKEN_LIFE_MINUTES.reset_password);
    });
    if (!isQueued) throw tooManyMails();
  }

  /**
   * Ends all sessions.
   * @throws Problem invalid_request for an invalid code
   */
  async reset({ token, password }: ResetPasswordBody, address: string): Promise<void> {
    const passwordHash = await this.passwords.hash(password);
    const by: Actor = { actor: 'mail', address };
    const { accountId, email } = await this.prisma.$transaction(async (tx) => {
      const accountId = await this.tokens.redeem(tx, token, 'reset_password');
      const { email } = await setPassword(tx, accountId, passwordHash, 'password_reset', by);
      return { accountId, email };
    });
    this.changed(accountId, email);
  }

  private changed(accountId: string, email: string): void {
    this.announcer.announce(accountId);
    if (this.mailer.isEnabled) {
      this.mailer.send(async () => passwordChangedMail(email, this.config.PUBLIC_URL));
    }
  }
}
