import { Injectable } from '@nestjs/common';
import type { RecentUsage, UsageReport } from '@plimsoll/contracts';
import { PrismaClient } from '../generated/prisma/client';
import { Identity } from '../identity';
import { DAY_MS, REPORTED_DAYS, usageReport } from './usage-report';
import { SESSIONS } from './usage-rows';

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

  /** The usage by minute of the last 24 hours, and by key of the last 30 UTC days. */
  async recent(accountId: string, now = new Date()): Promise<RecentUsage> {
    const today = now.toISOString().slice(0, 10);
    const before = new Date(now.getTime() - REPORTED_DAYS * DAY_MS);
    const [minutes, keyDays] = await Promise.all([
      this.prisma.usageMinute.findMany({
        where: { accountId, minute: { gt: new Date(now.getTime() - DAY_MS), lte: now } },
        orderBy: { minute: 'asc' },
      }),
      this.prisma.usageKey.findMany({ where: { accountId, day: { gt: before, lte: now } } }),
    ]);
    const keys = new Map<string, RecentUsage['keys'][number]>();
    for (const { keyId, day, calls } of keyDays) {
      const sum = keys.get(keyId) ?? { keyId: keyId === SESSIONS ? null : keyId, calls: 0, today: 0 };
      sum.calls += Number(calls);
      if (day.toISOString().slice(0, 10) === today) sum.today += Number(calls);
      keys.set(keyId, sum);
    }
    return {
      minutes: minutes.map(({ minute, calls }) => ({ minute: minute.toISOString(), calls: Number(calls) })),
      keys: [...keys.values()].sort((a, b) => b.calls - a.calls),
      timestamp: now.toISOString(),
    };
  }
}
