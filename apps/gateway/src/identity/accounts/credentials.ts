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
import type { Client } from './devices';
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
    await this.limits.ofPasswordChange(accountId);
    const stored = await this.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
    if (!(await this.passwords.isRight(stored.passwordHash, currentPassword))) {
      const message = 'This is not the password of the account. Correct it, or set another by mail.';
      throw invalidRequest([{ field: 'currentPassword', code: 'wrong_password', message }]);
    }
    const passwordHash = await this.passwords.hash(newPassword);
    await this.prisma.$transaction((tx) =>
      setPassword(
        tx,
        accountId,
        { passwordHash, action: 'password_changed', keepSessionId: id, keepKeys: true },
        by,
      ),
    );
    this.changed(accountId, email);
  }

  /** Mails a code. The response does not reveal whether the account exists. */
  async forgot(email: string, client: Client): Promise<void> {
    await this.limits.ofMails(email, client);
    if (!this.mailer.isEnabled) return;
    const isQueued = this.mailer.send(async () => {
      const account = await this.prisma.account.findUnique({ where: { email } });
      if (!account) return null;
      const token = await this.tokens.issueReset(account.id);
      return resetPasswordMail(email, token, this.config.PUBLIC_URL, TOKEN_LIFE_MINUTES.reset_password);
    });
    if (!isQueued) throw tooManyMails();
  }

  /**
   * Ends all sessions, and all keys unless they are kept: the person who knew the old password may have made
   * them.
   * @throws Problem invalid_request for an invalid code
   */
  async reset({ token, password, keepKeys }: ResetPasswordBody, address: string): Promise<void> {
    const passwordHash = await this.passwords.hash(password);
    const by: Actor = { actor: 'mail', address };
    const { accountId, email } = await this.prisma.$transaction(async (tx) => {
      const { accountId } = await this.tokens.redeem(tx, token, 'reset_password');
      const change = { passwordHash, action: 'password_reset' as const, keepKeys };
      const { email } = await setPassword(tx, accountId, change, by);
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
