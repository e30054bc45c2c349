import type { Claim, DraftAnswer } from '../facts/draft-answer';
import type { Fact } from '../facts/fact';

/** The task of a model, and its facts. */
export interface WritingTask {
  kind: 'risk-qa' | 'suggestions' | 'briefing' | 'postmortem';
  question: string;
  /** The facts that the answer may use. Those that `template` cites come first. */
  facts: readonly Fact[];
  /** The answer of the templates, in plain words. It covers the question. */
  template: readonly Claim[];
  /** The errors of the last draft. */
  complaints: readonly string[];
}

/** The prompt in its final form. */
export interface Prompt {
  system: string;
  user: string;
}

/** Tokens that a call took. */
export interface TokenUsage {
  input: number;
  output: number;
}

/** A draft with its usage. */
export interface Written {
  draft: DraftAnswer;
  /** Null: the provider does not report it. */
  usage: TokenUsage | null;
}

/** One call of a language model: no retry, no budget. */
export interface ModelPort {
  /** @throws ModelFailure */
  write(prompt: Prompt, signal: AbortSignal): Promise<Written>;
}

/** The injection token of ModelPort. Null if no model is configured. */
export const MODEL_PORT = Symbol('ModelPort');
