import { Injectable, Logger } from '@nestjs/common';
import { within, Clock } from '@plimsoll/service-kit';
import { AiConfig } from '../config';
import type { TokenUsage } from './model-port';
import { Allowance, nanoUsd, type Spending, spendingOf } from './spending';
import { UsageRepository } from './usage.repository';

/** The longest wait for Postgres. The model is not used if Postgres is down. */
const DEADLINE_MS = 3_000;

/**
 * Subtracts a call from the budgets before it is made, so that the calls of a killed process count as spent.
 */
@Injectable()
export class ModelBudget {
  private readonly logger = new Logger(ModelBudget.name);

  constructor(
    private readonly config: AiConfig,
    private readonly usage: UsageRepository,
    private readonly clock: Clock,
  ) {}

  /** The allowance of one answer, for all its attempts. */
  allowance(): Allowance {
    return new Allowance({
      tokens: this.config.AI_TOKENS_PER_ANSWER,
      nanoUsd: nanoUsd(this.config.AI_USD_PER_ANSWER),
    });
  }

  /**
   * Reserves the largest possible cost of a call.
   * @returns a function that takes the actual usage, null if it is unknown; null: the budget is exhausted
   */
  async reserve(
    accountId: string,
    allowance: Allowance,
    most: TokenUsage,
  ): Promise<((actual: TokenUsage | null) => Promise<void>) | null> {
    const reserved = spendingOf(most, this.config);
    if (!allowance.spend(reserved)) return null;
    const day = new Date(this.clock.now()).toISOString().slice(0, 10);
    const isWithinDay = await this.inTime(this.usage.add(accountId, day, reserved, this.mostOfDay()));
    if (isWithinDay !== true) {
      allowance.refund(reserved);
      return null;
    }
    return async (actual) => {
      const spent = actual === null ? reserved : spendingOf(actual, this.config);
      const unused: Spending = {
        tokens: reserved.tokens - spent.tokens,
        nanoUsd: reserved.nanoUsd - spent.nanoUsd,
      };
      allowance.refund(unused);
      if (unused.tokens !== 0 || unused.nanoUsd !== 0n) {
        await this.inTime(this.usage.subtract(accountId, day, unused));
      }
    };
  }

  private mostOfDay(): Spending {
    return { tokens: this.config.AI_TOKENS_PER_DAY, nanoUsd: nanoUsd(this.config.AI_USD_PER_DAY) };
  }

  private async inTime<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await within(DEADLINE_MS, work, () => new Error(`not within ${DEADLINE_MS} ms`));
    } catch (error) {
      this.logger.warn({ msg: 'the usage of the model could not be counted', err: error });
      return undefined;
    }
  }
}
