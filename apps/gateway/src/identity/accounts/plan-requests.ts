import { Injectable } from '@nestjs/common';
import { type PlanInfo, Problem, type Tier } from '@plimsoll/contracts';
import { PrismaClient } from '../../generated/prisma/client';
import { type Actor, auditRow } from '../audit/audit-entry';
import { lockAccount } from '../database/prisma';

/** A request that waits for the operator. */
export interface WaitingPlan {
  accountId: string;
  email: string;
  tier: string;
  requestedTier: string;
  requestedAt: Date;
}

/** Changes of the tier that accounts ask for. The operator applies one with `accounts set-tier`. */
@Injectable()
export class PlanRequests {
  constructor(private readonly prisma: PrismaClient) {}

  async of(accountId: string): Promise<PlanInfo> {
    const { tier, planRequest } = await this.prisma.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { tier: true, planRequest: true },
    });
    return {
      tier: tier as Tier,
      requested: planRequest && {
        tier: planRequest.tier as Tier,
        requestedAt: planRequest.requestedAt.toISOString(),
      },
    };
  }

  /**
   * A later request replaces the one that waits.
   * @throws Problem conflict for the tier that the account has
   */
  async request(accountId: string, tier: Tier, by: Actor): Promise<PlanInfo> {
    await this.prisma.$transaction(async (tx) => {
      const current = await lockAccount(tx, accountId);
      if (current === tier) throw new Problem('conflict', `This account has the ${tier} tier already.`);
      const data = { tier, requestedAt: new Date() };
      await tx.planRequest.upsert({ where: { accountId }, create: { accountId, ...data }, update: data });
      const details = { from: current, to: tier };
      await tx.auditEntry.create({ data: auditRow({ accountId, action: 'tier_requested', details, ...by }) });
    });
    return this.of(accountId);
  }

  async withdraw(accountId: string, by: Actor): Promise<PlanInfo> {
    await this.prisma.$transaction(async (tx) => {
      const { count } = await tx.planRequest.deleteMany({ where: { accountId } });
      if (count === 0) return;
      await tx.auditEntry.create({ data: auditRow({ accountId, action: 'tier_request_withdrawn', ...by }) });
    });
    return this.of(accountId);
  }

  /** Oldest first, of all accounts. */
  async list(): Promise<WaitingPlan[]> {
    const rows = await this.prisma.planRequest.findMany({
      orderBy: { requestedAt: 'asc' },
      include: { account: { select: { email: true, tier: true } } },
    });
    return rows.map(({ accountId, tier, requestedAt, account }) => ({
      accountId,
      email: account.email,
      tier: account.tier,
      requestedTier: tier,
      requestedAt,
    }));
  }
}
