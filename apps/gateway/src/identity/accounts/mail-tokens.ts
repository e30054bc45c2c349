import { Injectable } from '@nestjs/common';
import { invalidRequest } from '@plimsoll/contracts';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';
import { hashSecretToken, newSecretToken } from '../sessions/sessions';

const MINUTE_MS = 60_000;

/** Lifetime of a mailed code in minutes. */
export const TOKEN_LIFE_MINUTES = { verify_email: 24 * 60, reset_password: 60 } as const;
type TokenPurpose = keyof typeof TOKEN_LIFE_MINUTES;

/** Mailed codes. Only a SHA-256 is stored. A code works once, and a newer one of its kind invalidates it. */
@Injectable()
export class MailTokens {
  constructor(private readonly prisma: PrismaClient) {}

  async issue(accountId: string, purpose: TokenPurpose, now = new Date()): Promise<string> {
    const token = newSecretToken();
    const expiresAt = new Date(now.getTime() + TOKEN_LIFE_MINUTES[purpose] * MINUTE_MS);
    await this.prisma.$transaction([
      this.prisma.mailToken.deleteMany({ where: { accountId, purpose } }),
      this.prisma.mailToken.create({
        data: { tokenHash: hashSecretToken(token), accountId, purpose, createdAt: now, expiresAt },
      }),
    ]);
    return token;
  }

  /**
   * Invalidates a code, in the transaction of its use.
   * @returns the account that received it
   * @throws Problem invalid_request when the code is unknown, used or expired
   */
  async redeem(
    tx: Prisma.TransactionClient,
    token: string,
    purpose: TokenPurpose,
    now = new Date(),
  ): Promise<string> {
    const tokenHash = hashSecretToken(token);
    const found = await tx.mailToken.findUnique({ where: { tokenHash } });
    const usable = { tokenHash, purpose, expiresAt: { gt: now } };
    const { count } = await tx.mailToken.deleteMany({ where: usable });
    if (found && count === 1) return found.accountId;
    throw invalidRequest([
      {
        field: 'token',
        code: 'invalid_token',
        message: 'This code was used or has expired. Request another.',
      },
    ]);
  }
}
