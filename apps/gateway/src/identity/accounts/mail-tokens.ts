import { Injectable } from '@nestjs/common';
import { invalidRequest } from '@plimsoll/contracts';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';
import { hashSecretToken, newSecretToken } from '../sessions/sessions';

const MINUTE_MS = 60_000;

/** Lifetime of a mailed code in minutes. */
export const TOKEN_LIFE_MINUTES = { verify_email: 24 * 60, reset_password: 60 } as const;
type TokenPurpose = keyof typeof TOKEN_LIFE_MINUTES;

/** Mailed codes. Only a SHA-256 is stored. A code works once. */
@Injectable()
export class MailTokens {
  constructor(private readonly prisma: PrismaClient) {}

  /** Issues the code of a new password. It invalidates earlier ones. */
  async issueReset(accountId: string): Promise<string> {
    return this.issue({ accountId, purpose: 'reset_password', passwordHash: null }, (tx) =>
      tx.mailToken.deleteMany({ where: { accountId, purpose: 'reset_password' } }),
    );
  }

  /**
   * Issues the code that confirms an address, and extends the life of an account that was never confirmed.
   * Codes of other sign-ups stay valid, so that no other person can invalidate the owner's.
   * @param passwordHash the password of this sign-up. Null repeats the code of the newest one.
   */
  async issueCheck(accountId: string, passwordHash: string | null): Promise<string> {
    const where = { accountId, purpose: 'verify_email' };
    const newest = { where, orderBy: { createdAt: 'desc' } } as const;
    const repeated = passwordHash === null ? await this.prisma.mailToken.findFirst(newest) : null;
    const token = {
      accountId,
      purpose: 'verify_email' as const,
      passwordHash: passwordHash ?? repeated?.passwordHash ?? null,
    };
    return this.issue(token, async (tx, expiresAt) => {
      if (repeated) await tx.mailToken.deleteMany({ where: { tokenHash: repeated.tokenHash } });
      await tx.account.updateMany({
        where: { id: accountId, expiresAt: { not: null } },
        data: { expiresAt },
      });
    });
  }

  private async issue(
    values: { accountId: string; purpose: TokenPurpose; passwordHash: string | null },
    before: (tx: Prisma.TransactionClient, expiresAt: Date) => Promise<unknown>,
  ): Promise<string> {
    const token = newSecretToken();
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + TOKEN_LIFE_MINUTES[values.purpose] * MINUTE_MS);
    await this.prisma.$transaction(async (tx) => {
      await before(tx, expiresAt);
      await tx.mailToken.create({
        data: { ...values, tokenHash: hashSecretToken(token), createdAt, expiresAt },
      });
    });
    return token;
  }

  /**
   * Invalidates a code, in the transaction of its use.
   * @returns the account that received it, and the password of the sign-up
   * @throws Problem invalid_request when the code is unknown, used or expired
   */
  async redeem(
    tx: Prisma.TransactionClient,
    token: string,
    purpose: TokenPurpose,
    now = new Date(),
  ): Promise<{ accountId: string; passwordHash: string | null }> {
    const tokenHash = hashSecretToken(token);
    const found = await tx.mailToken.findUnique({ where: { tokenHash } });
    const usable = { tokenHash, purpose, expiresAt: { gt: now } };
    const { count } = await tx.mailToken.deleteMany({ where: usable });
    if (found && count === 1) return found;
    throw invalidRequest([
      {
        field: 'token',
        code: 'invalid_token',
        message: 'This code was used or has expired. Request another.',
      },
    ]);
  }
}
