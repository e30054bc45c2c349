import { Injectable } from '@nestjs/common';
import { Problem, type SignUpBody, type SignUpResult } from '@plimsoll/contracts';
import { auditRow } from '../audit/audit-entry';
import { GatewayConfig } from '../../config';
import { PrismaClient } from '../../generated/prisma/client';
import { accountExistsMail, verifyEmailMail } from '../mail/mail-texts';
import { Mailer, tooManyMails } from '../mail/mailer';
import { AccountLimits } from './account-limits';
import { Accounts } from './accounts';
import { MailTokens, TOKEN_LIFE_MINUTES } from './mail-tokens';
import { Passwords } from './passwords';

/** Creates accounts and verifies their e-mail addresses. */
@Injectable()
export class SignUp {
  constructor(
    private readonly config: GatewayConfig,
    private readonly prisma: PrismaClient,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly tokens: MailTokens,
    private readonly mailer: Mailer,
    private readonly limits: AccountLimits,
  ) {}

  /**
   * Creates an open account. Where mails are sent, the response does not reveal whether the address had one.
   * @throws Problem conflict for an address with an account, where no mails are sent
   */
  async signUp({ email, password }: SignUpBody, address: string): Promise<SignUpResult> {
    await this.limits.ofEmail('mail-email', email);
    const passwordHash = await this.passwords.hash(password);
    const account = await this.accounts.signUp(email, passwordHash, { actor: 'visitor', address });
    if (this.mailer.isEnabled) {
      this.mailCheck(email);
      return { status: 'check_email' };
    }
    if (account) return { status: 'created' };
    throw new Problem(
      'conflict',
      'This e-mail address has an account. Log in, or ask the operator to reset it.',
    );
  }

  /** Sends the verification again. The response does not reveal whether the account exists. */
  async sendCheck(email: string, address: string): Promise<void> {
    await this.limits.ofEmail('mail-email', email);
    if (this.mailer.isEnabled) this.mailCheck(email);
  }

  /** @throws Problem invalid_request for an invalid code */
  async confirm(token: string, address: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const accountId = await this.tokens.redeem(tx, token, 'verify_email');
      await tx.account.update({ where: { id: accountId }, data: { emailVerifiedAt: new Date() } });
      const entry = { accountId, action: 'email_verified' as const, actor: 'mail' as const, address };
      await tx.auditEntry.create({ data: auditRow(entry) });
    });
  }

  private mailCheck(email: string): void {
    const { PUBLIC_URL: url } = this.config;
    const isQueued = this.mailer.send(async () => {
      const account = await this.prisma.account.findUnique({ where: { email } });
      if (!account) return null;
      if (account.emailVerifiedAt) return accountExistsMail(email, url);
      const token = await this.tokens.issue(account.id, 'verify_email');
      return verifyEmailMail(email, token, url, TOKEN_LIFE_MINUTES.verify_email / 60);
    });
    if (!isQueued) throw tooManyMails();
  }
}
