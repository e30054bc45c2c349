import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { AccountSlots, Breaker } from '@plimsoll/service-kit';
import type { DraftAnswer } from '../facts/draft-answer';
import { AiConfig } from '../config';
import { modelCalls, modelTokens } from '../metrics';
import { ModelBudget } from './model-budget';
import { ModelFailure } from './model-failure';
import { MODEL_PORT, type ModelPort, type Prompt, type Written } from './model-port';
import { tokensOf } from './prompt';
import type { Allowance } from './spending';

/** Attempts of a call that fails for a temporary reason. */
const MAX_ATTEMPTS = 3;
const FIRST_WAIT_MS = 250;
/** The longest Retry-After for which a second attempt is made. The templates are faster than longer waits. */
const LONGEST_RETRY_AFTER_MS = 2_000;
/** Share of a retry that each call earns, and the most that can be saved up. */
const EARNED_PER_CALL = 0.1;
const MAX_SAVED = 10;

/** The account that pays for a call. */
export interface Payer {
  accountId: string;
  allowance: Allowance;
}

/**
 * Calls the model within its limits: a number of parallel calls, a budget of tokens and of retries, a
 * breaker.
 */
@Injectable()
export class ModelCalls {
  private readonly breaker = new Breaker();
  private savedRetries = MAX_SAVED;

  constructor(
    private readonly config: AiConfig,
    @Inject(MODEL_PORT) private readonly model: ModelPort | null,
    private readonly budget: ModelBudget,
    private readonly slots: AccountSlots,
  ) {}

  get isConfigured(): boolean {
    return this.model !== null;
  }

  /**
   * Writes a draft.
   * @param signal the deadline of the whole answer, and the caller's disconnect
   * @throws ModelFailure
   */
  async write(prompt: Prompt, payer: Payer, signal: AbortSignal): Promise<DraftAnswer> {
    try {
      const draft = await this.inTurn(prompt, payer, signal);
      modelCalls.inc({ outcome: 'written' });
      return draft;
    } catch (error) {
      if (error instanceof ModelFailure) modelCalls.inc({ outcome: error.kind });
      throw error;
    }
  }

  private async inTurn(prompt: Prompt, payer: Payer, signal: AbortSignal): Promise<DraftAnswer> {
    const giveBack = await this.slots
      .acquireShared('model', { total: this.config.AI_CONCURRENCY }, payer.accountId, signal)
      .catch(() => {
        throw new ModelFailure(signal.aborted ? abortKind(signal) : 'busy');
      });
    try {
      return await this.tries(prompt, payer, signal);
    } finally {
      giveBack();
    }
  }

  private async tries(prompt: Prompt, payer: Payer, signal: AbortSignal): Promise<DraftAnswer> {
    this.savedRetries = Math.min(MAX_SAVED, this.savedRetries + EARNED_PER_CALL);
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.once(prompt, payer, signal);
      } catch (error) {
        const failure = error as ModelFailure;
        const patienceMs = failure.options?.retryAfterMs ?? 0;
        const isOver =
          tried === MAX_ATTEMPTS ||
          this.savedRetries < 1 ||
          signal.aborted ||
          patienceMs > LONGEST_RETRY_AFTER_MS;
        if (!(error instanceof ModelFailure) || !failure.isWorthRetrying || isOver) throw error;
        this.savedRetries -= 1;
        const waitMs = FIRST_WAIT_MS * 2 ** (tried - 1) * (0.5 + Math.random());
        await delay(Math.max(waitMs, patienceMs), undefined, { signal }).catch(() => {
          throw new ModelFailure(abortKind(signal));
        });
      }
    }
  }

  private async once(
    prompt: Prompt,
    { accountId, allowance }: Payer,
    signal: AbortSignal,
  ): Promise<DraftAnswer> {
    if (this.model === null || !this.breaker.admits(performance.now())) throw new ModelFailure('away');
    const most = { input: tokensOf(prompt), output: this.config.AI_MAX_OUTPUT_TOKENS };
    const settle = await this.budget.reserve(accountId, allowance, most);
    if (settle === null) throw new ModelFailure('over_budget');
    try {
      const written = await this.model.write(prompt, signal);
      this.breaker.succeeded();
      await this.settled(settle, written);
      return written.draft;
    } catch (error) {
      if (error instanceof ModelFailure) await this.settledAfter(error, settle);
      throw error;
    }
  }

  private async settled(settle: Settle, { usage }: Written): Promise<void> {
    modelTokens.inc({ direction: 'in' }, usage?.input ?? 0);
    modelTokens.inc({ direction: 'out' }, usage?.output ?? 0);
    await settle(usage);
  }

  private async settledAfter({ kind, options: { usage } }: ModelFailure, settle: Settle): Promise<void> {
    if (kind === 'broken_draft' || kind === 'refused') this.breaker.succeeded();
    else if (kind !== 'left') this.breaker.failed(performance.now());
    await settle(usage ?? null);
  }
}

type Settle = (actual: Written['usage']) => Promise<void>;

function abortKind({ reason }: AbortSignal): 'late' | 'left' {
  return (reason as Error | undefined)?.name === 'TimeoutError' ? 'late' : 'left';
}
