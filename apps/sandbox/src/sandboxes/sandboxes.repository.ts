import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import type { MarketAction } from '../market/market-action';

/** Most actions until a reset. A restore applies them in about 50 ms each. */
export const MOST_ACTIONS = 500;

const DAY_MS = 86_400_000;

/** Most resets of an account on a UTC day. Each leaves topics to delete. */
export const MOST_RESETS = 20;

/** The stored facts that restore a market. */
export interface StoredSandbox {
  accountId: string;
  generation: number;
  startedAt: Date;
}

@Injectable()
export class SandboxesRepository {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly pool: Pool,
  ) {}

  /** Returns the market of an account. Its first use creates it. */
  async use(accountId: string, now: Date): Promise<StoredSandbox> {
    const startedAt = new Date(Math.floor(now.getTime() / 1_000) * 1_000);
    return this.prisma.sandbox.upsert({
      where: { accountId },
      create: { accountId, startedAt, lastUsedAt: now },
      update: { lastUsedAt: now },
    });
  }

  /** Stores when a market was last used, which keeps it from removal. */
  async touch(accountId: string, usedAt: Date): Promise<void> {
    await this.prisma.sandbox.updateMany({ where: { accountId }, data: { lastUsedAt: usedAt } });
  }

  async actions(accountId: string): Promise<MarketAction[]> {
    const rows = await this.prisma.action.findMany({ where: { accountId }, orderBy: { number: 'asc' } });
    return rows.map(({ action }) => action as unknown as MarketAction);
  }

  count(accountId: string): Promise<number> {
    return this.prisma.action.count({ where: { accountId } });
  }

  /**
   * Records an action and returns its number. The actions of an account are recorded one after another.
   * @throws Problem conflict at the most actions
   */
  async record(accountId: string, action: MarketAction): Promise<number> {
    const number = (await this.count(accountId)) + 1;
    if (number > MOST_ACTIONS) {
      const detail = `This test market has ${MOST_ACTIONS} actions, the most until a reset. Send POST /v1/test/reset.`;
      throw new Problem('conflict', detail);
    }
    await this.prisma.action.create({ data: { accountId, number, action: { ...action } } });
    return number;
  }

  /** Removes the record of the newest action. */
  async unrecord(accountId: string, number: number): Promise<void> {
    await this.prisma.action.deleteMany({ where: { accountId, number } });
  }

  /** @throws Problem daily_limit_exceeded at the most resets of the day */
  async assertReset(accountId: string, now: Date): Promise<void> {
    const found = await this.prisma.sandbox.findUnique({ where: { accountId } });
    if (!found || resetsOn(found, now) < MOST_RESETS) return;
    const seconds = Math.ceil((dayOf(now).getTime() + DAY_MS - now.getTime()) / 1_000);
    const detail = `This test market had ${MOST_RESETS} resets today, the most of a UTC day. Its clock and prices can still be moved.`;
    throw new Problem('daily_limit_exceeded', detail, { headers: { 'Retry-After': String(seconds) } });
  }

  /** Begins a new generation without actions. Returns the former one, or null without a market. */
  reset(accountId: string, now: Date): Promise<StoredSandbox | null> {
    return this.prisma.$transaction(async (tx) => {
      const former = await tx.sandbox.findUnique({ where: { accountId } });
      if (!former) return null;
      const startedAt = new Date(Math.floor(now.getTime() / 1_000) * 1_000);
      await tx.action.deleteMany({ where: { accountId } });
      await tx.sandbox.update({
        where: { accountId },
        data: {
          generation: former.generation + 1,
          startedAt,
          lastUsedAt: now,
          resetDay: dayOf(now),
          resetsOfDay: resetsOn(former, now) + 1,
        },
      });
      return former;
    });
  }

  async generations(): Promise<Map<string, number>> {
    const rows = await this.prisma.sandbox.findMany({ select: { accountId: true, generation: true } });
    return new Map(rows.map(({ accountId, generation }) => [accountId, generation]));
  }

  unusedSince(before: Date, most: number): Promise<StoredSandbox[]> {
    const where = { lastUsedAt: { lt: before } };
    return this.prisma.sandbox.findMany({ where, orderBy: { lastUsedAt: 'asc' }, take: most });
  }

  async remove(accountId: string): Promise<void> {
    await this.prisma.sandbox.deleteMany({ where: { accountId } });
  }

  /** Names of the databases with this prefix. */
  async databases(prefix: string): Promise<string[]> {
    const sql = 'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)';
    return (await this.pool.query<{ name: string }>(sql, [prefix])).rows.map(({ name }) => name);
  }

  /** @param name of characters that need no quotes */
  async dropDatabase(name: string): Promise<void> {
    await this.pool.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

const dayOf = (now: Date): Date => new Date(now.toISOString().slice(0, 10));

const resetsOn = (
  { resetDay, resetsOfDay }: { resetDay: Date | null; resetsOfDay: number },
  now: Date,
): number => (resetDay?.getTime() === dayOf(now).getTime() ? resetsOfDay : 0);
