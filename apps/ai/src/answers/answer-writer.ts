import { Injectable, Logger } from '@nestjs/common';
import { Problem, type AnswerGenerator } from '@plimsoll/contracts';
import { signalWithin, Clock } from '@plimsoll/service-kit';
import { AiConfig } from '../config';
import type { Asker } from '../facts/reading';
import type { Fact } from '../facts/fact';
import { refusedDrafts } from '../metrics';
import { ModelBudget } from '../model/model-budget';
import { ModelCalls } from '../model/model-calls';
import { ModelFailure } from '../model/model-failure';
import type { Prompt, WritingTask } from '../model/model-port';
import { promptOf } from '../model/prompt';
import { verify, type Verification } from '../verification/verify';
import type { DraftAnswer } from '../facts/draft-answer';
import { confidenceOf } from './confidence';
import { type Judged, draftJudge, plainDraft } from './judge-draft';

/** Drafts of a model for one answer: the first, and one with the complaints about it. */
const MOST_DRAFTS = 2;

/** A question and its caller. */
export interface AnswerTask {
  kind: WritingTask['kind'];
  question: string;
  asker: Asker;
}

/** An answer whose every figure is verified. */
export interface WrittenAnswer {
  draft: DraftAnswer;
  generator: AnswerGenerator;
  verification: Verification;
  /** A number in [0, 1]. */
  confidence: number;
  /** The facts that it uses. */
  facts: Fact[];
  /** The sources of the facts. */
  sources: string[];
  /** The prompt of the model and the outcome. Null if no model was called. */
  prompt: object | null;
}

interface Attempt {
  prompt: Prompt;
  /** The errors of the draft, or the reason why there was none. Empty: it was accepted. */
  outcome: string[];
}

/**
 * Writes an answer with the model, once more with complaints if the verifier finds any. If that fails or
 * takes too long, the templates write it. Questions without a template get no answer, because there are no
 * facts for them.
 */
@Injectable()
export class AnswerWriter {
  private readonly logger = new Logger(AnswerWriter.name);

  constructor(
    private readonly config: AiConfig,
    private readonly calls: ModelCalls,
    private readonly budget: ModelBudget,
    private readonly clock: Clock,
  ) {}

  /** @throws internal when no fact supports a template */
  async answer(
    task: AnswerTask,
    facts: ReadonlyMap<string, Fact>,
    template: () => DraftAnswer,
  ): Promise<WrittenAnswer> {
    const plain = plainDraft(template());
    const attempts: Attempt[] = [];
    const byModel = await this.byModel(task, facts, plain, attempts);
    const judged = byModel ?? this.byTemplate(plain, facts);
    const used = judged.verification.usedFactIds.flatMap((id) => facts.get(id) ?? []);
    return {
      draft: judged.draft,
      generator: byModel === null ? 'template' : 'model',
      verification: judged.verification,
      confidence: confidenceOf({
        draft: judged.draft,
        verification: judged.verification,
        wanted: new Set(plain.claims.flatMap(({ factIds }) => factIds)),
        facts,
        isAboutThePast: task.kind === 'postmortem',
        isMended: byModel !== null && attempts.length > 1,
        nowMs: this.clock.now(),
      }),
      facts: used,
      sources: [...new Set(used.map(({ source }) => source))],
      prompt: attempts.length === 0 ? null : { model: this.config.AI_MODEL, attempts },
    };
  }

  /** The facts that our own words use. @throws internal when no fact supports the words */
  factsOf(draft: DraftAnswer, facts: ReadonlyMap<string, Fact>): Fact[] {
    const { verification } = this.byTemplate(plainDraft(draft), facts);
    return verification.usedFactIds.flatMap((id) => facts.get(id) ?? []);
  }

  private byTemplate(draft: DraftAnswer, facts: ReadonlyMap<string, Fact>): Judged {
    const verification = verify(draft, facts, this.clock.now());
    if (verification.ok) return { draft, verification, complaints: [] };
    const unsupported = verification.unsupported.map(({ claim, text, reason }) => ({
      reason,
      text,
      claim: draft.claims[claim]?.text,
    }));
    this.logger.error({ msg: 'no fact supports the text of a template', unsupported });
    throw new Problem('internal', 'The answer could not be verified. Report the request id.');
  }

  /** Null: the templates answer. */
  private async byModel(
    task: AnswerTask,
    facts: ReadonlyMap<string, Fact>,
    template: DraftAnswer,
    attempts: Attempt[],
  ): Promise<Judged | null> {
    if (!this.calls.isConfigured || template.cannotAnswer !== null || template.claims.length === 0)
      return null;
    const signal = signalWithin(this.config.AI_DEADLINE_MS, task.asker.left);
    const payer = { accountId: task.asker.identity.accountId, allowance: this.budget.allowance() };
    const ordered = citedFirst(template, facts);
    const judge = draftJudge(template, facts, this.clock.now());
    let complaints: readonly string[] = [];
    while (attempts.length < MOST_DRAFTS) {
      const { kind, question } = task;
      const writing = { kind, question, facts: ordered, template: template.claims, complaints };
      const prompt = promptOf(writing, this.config.AI_MAX_INPUT_TOKENS);
      if (prompt === null) return null;
      try {
        const written = await this.calls.write(prompt, payer, signal);
        const judged = judge(written);
        complaints = judged.complaints;
        attempts.push({ prompt, outcome: [...complaints] });
        if (complaints.length === 0) return judged;
        refusedDrafts.inc();
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        attempts.push({ prompt, outcome: [error.message] });
        if (error.kind !== 'left') this.logger.warn({ msg: 'the templates answer', reason: error.message });
        if (error.kind !== 'broken_draft') return null;
        complaints = ['It was no JSON object of the given form.'];
      }
    }
    return null;
  }
}

/**
 * Orders the facts: those of the templates come first, because the last ones are left out of a prompt that is
 * too long.
 */
function citedFirst(template: DraftAnswer, facts: ReadonlyMap<string, Fact>): Fact[] {
  const cited = new Set(template.claims.flatMap(({ factIds }) => factIds));
  const all = [...facts.values()];
  return [...all.filter(({ id }) => cited.has(id)), ...all.filter(({ id }) => !cited.has(id))];
}
