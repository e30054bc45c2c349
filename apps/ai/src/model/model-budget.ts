import { Injectable, Logger } from '@nestjs/common';
import { within } from '@plimsoll/service-kit';
import { Clock } from '../clock';
import { AiConfig } from '../config';
import type { TokenUsage } from './model-port';
import { Allowance, nanoUsd, type Spending, spendingOf } from './spending';
import { UsageRepository } from './usage.repository';

/** The model waits for Postgres no longer; without it there is no model. */
const DEADLINE_MS = 3_000;

/** Takes a call out of the budgets before it is made: what a killed process had under way counts as spent. */
@Injectable()
export class ModelBudget {
  private readonly logger = new Logger(ModelBudget.name);

  constructor(
    private readonly config: AiConfig,
    private readonly usage: UsageRepository,
    private readonly clock: Clock,
  ) {}

  /** Of one answer, for all its attempts. */
  allowance(): Allowance {
    return new Allowance({
      tokens: this.config.AI_TOKENS_PER_ANSWER,
      nanoUsd: nanoUsd(this.config.AI_USD_PER_ANSWER),
    });
  }

  /**
   * Takes the most that a call can cost.
   * @returns what to call with the tokens that it did take, null when that is not known; null: there is no budget left
   */
  async reserve(
    accountId: string,
    allowance: Allowance,
    most: TokenUsage,
  ): Promise<((actual: TokenUsage | null) => Promise<void>) | null> {
    const reserved = spendingOf(most, this.config);
    if (!allowance.take(reserved)) return null;
    const day = new Date(this.clock.now()).toISOString().slice(0, 10);
    const isWithinDay = await this.inTime(this.usage.add(accountId, day, reserved, this.mostOfDay()));
    if (isWithinDay !== true) {
      allowance.giveBack(reserved);
      return null;
    }
    return async (actual) => {
      const spent = actual === null ? reserved : spendingOf(actual, this.config);
      const unused: Spending = {
        tokens: reserved.tokens - spent.tokens,
        nanoUsd: reserved.nanoUsd - spent.nanoUsd,
      };
      allowance.giveBack(unused);
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
      this.logger.warn({ msg: 'what the model takes could not be counted', err: error });
      return undefined;
    }
  }
}
