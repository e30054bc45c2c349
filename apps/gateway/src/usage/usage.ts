import { Injectable } from '@nestjs/common';
import type { UsageReport } from '@plimsoll/contracts';
import { PrismaClient } from '../generated/prisma/client';
import { Identity } from '../identity';
import { DAY_MS, REPORTED_DAYS, usageReport } from './usage-report';

/** The usage of an account's keys, beside its limits. */
@Injectable()
export class Usage {
  constructor(
    private readonly identity: Identity,
    private readonly prisma: PrismaClient,
  ) {}

  /**
   * @param quota of a test key, which has no account of its own
   * @throws Problem not_found without such an account
   */
  async report(accountId: string, quota?: UsageReport['quota'], now = new Date()): Promise<UsageReport> {
    const before = new Date(now.getTime() - REPORTED_DAYS * DAY_MS);
    const [{ requestsPerMinute, requestsPerDay }, stored] = await Promise.all([
      quota ?? this.identity.limitsOf(accountId),
      this.prisma.usageDay.findMany({ where: { accountId, day: { gt: before, lte: now } } }),
    ]);
    const rows = stored.map(({ day, endpoint, calls }) => ({
      date: day.toISOString().slice(0, 10),
      endpoint,
      calls: Number(calls),
    }));
    return usageReport({ requestsPerMinute, requestsPerDay }, rows, now);
  }
}
