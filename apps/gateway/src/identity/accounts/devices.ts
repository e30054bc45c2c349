import { Injectable } from '@nestjs/common';
import { PrismaClient } from '../../generated/prisma/client';
import { hashSecretToken, newSecretToken } from '../sessions/sessions';

const LIFE_MS = 365 * 86_400_000;

/** A client of the account API. */
export interface Client {
  address: string;
  userAgent: string | null;
  /** Token of its device cookie. */
  device: string | undefined;
}

/** Browsers that logged in before. No failure of another client locks them out. */
@Injectable()
export class Devices {
  constructor(private readonly prisma: PrismaClient) {}

  /** Returns true when a browser with this cookie logged in to the account of an e-mail address. */
  async isKnown(token: string | undefined, email: string): Promise<boolean> {
    // Without a cookie, the same query, so that the duration is the same.
    const where = {
      tokenHash: hashSecretToken(token ?? ''),
      account: { email },
      expiresAt: { gt: new Date() },
    };
    return (await this.prisma.device.count({ where })) > 0;
  }

  /** Records a browser. Returns the token for its cookie. */
  async add(accountId: string): Promise<string> {
    const token = newSecretToken();
    const expiresAt = new Date(Date.now() + LIFE_MS);
    await this.prisma.device.create({ data: { tokenHash: hashSecretToken(token), accountId, expiresAt } });
    return token;
  }
}
