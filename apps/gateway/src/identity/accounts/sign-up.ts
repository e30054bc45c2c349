import { Injectable } from '@nestjs/common';
import { Problem, type SignUpBody, type SignUpResult } from '@plimsoll/contracts';
import { type Actor, auditRow } from '../audit/audit-entry';
import { GatewayConfig } from '../../config';
import { PrismaClient } from '../../generated/prisma/client';
import { accountExistsMail, verifyEmailMail } from '../mail/mail-texts';
import { Mailer, tooManyMails } from '../mail/mailer';
import { AccountLimits } from './account-limits';
import { Accounts, announce } from './accounts';
import type { Client } from './devices';
import { MailTokens, TOKEN_LIFE_MINUTES } from './mail-tokens';
import { Passwords } from './passwords';
import { endAccess } from './set-password';

/** An account that was not confirmed is deleted with its last code. */
const CHECK_LIFE_MS = TOKEN_LIFE_MINUTES.verify_email * 60_000;

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
   * Creates an open account. Where mails are sent, the response does not reveal whether the address had one,
   * and the password is that of the code which confirms the address: another person who signs up with it
   * cannot choose the owner's password.
   * @throws Problem conflict for an address with an account, where no mails are sent
   */
  async signUp({ email, password }: SignUpBody, client: Client): Promise<SignUpResult> {
    await this.limits.ofMails(email, client);
    const { address } = client;
    const passwordHash = await this.passwords.hash(password);
    const by: Actor = { actor: 'visitor', address };
    if (this.mailer.isEnabled) {
      await this.accounts.reserve(email, new Date(Date.now() + CHECK_LIFE_MS), by);
      this.mailCheck(email, passwordHash, address);
      return { status: 'check_email' };
    }
    if (await this.accounts.signUp(email, passwordHash, by)) return { status: 'created' };
    throw new Problem(
      'conflict',
      'This e-mail address has an account. Log in, or ask the operator to reset it.',
    );
  }

  /** Sends the verification again. The response does not reveal whether the account exists. */
  async sendCheck(email: string, client: Client): Promise<void> {
    await this.limits.ofMails(email, client);
    if (this.mailer.isEnabled) this.mailCheck(email, null, client.address);
  }

  /** @throws Problem invalid_request for an invalid code */
  async confirm(token: string, address: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      const { accountId, passwordHash } = await this.tokens.redeem(tx, token, 'verify_email');
      const before = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
      const account = await tx.account.update({
        where: { id: accountId },
        data: { emailVerifiedAt: new Date(), expiresAt: null, ...(passwordHash && { passwordHash }) },
      });
      // The others belong to other sign-ups, perhaps of other persons.
      await tx.mailToken.deleteMany({ where: { accountId, purpose: 'verify_email' } });
      // Without mails, an account needs no confirmation, and a person who does not read them may use it.
      if (passwordHash !== null && before.passwordHash !== null) await endAccess(tx, accountId);
      const entry = { accountId, action: 'email_verified' as const, actor: 'mail' as const, address };
      await tx.auditEntry.create({ data: auditRow(entry) });
      await announce(tx, account);
    });
  }

  private mailCheck(email: string, passwordHash: string | null, address: string): void {
    const { PUBLIC_URL: url } = this.config;
    const isQueued = this.mailer.send(async () => {
      const account = await this.prisma.account.findUnique({ where: { email } });
      if (!account) return null;
      if (account.emailVerifiedAt) return accountExistsMail(email, url);
      const token = await this.tokens.issueCheck(account.id, passwordHash);
      return verifyEmailMail(email, token, url, TOKEN_LIFE_MINUTES.verify_email / 60, address);
    });
    if (!isQueued) throw tooManyMails();
  }
}
