import type { Claim, DraftAnswer } from '../answers/answer';
import type { Fact } from '../facts/fact';

/** The task of a model, and its facts. */
export interface WritingTask {
  kind: 'risk-qa' | 'suggestions' | 'briefing' | 'postmortem';
  question: string;
  /** Everything that the answer may say; what `template` cites comes first. */
  facts: readonly Fact[];
  /** The answer of the templates: what is asked for, in plain words. */
  template: readonly Claim[];
  /** The errors of the last draft. */
  complaints: readonly string[];
}

/** The prompt as it is sent. */
export interface Prompt {
  system: string;
  user: string;
}

/** Tokens that a call took. */
export interface TokenUsage {
  input: number;
  output: number;
}

/** A draft with what it took. */
export interface Written {
  draft: DraftAnswer;
  /** Null: the provider does not say. */
  usage: TokenUsage | null;
}

/** One call of a language model: no retry, no budget. */
export interface ModelPort {
  /** @throws ModelFailure */
  write(prompt: Prompt, signal: AbortSignal): Promise<Written>;
}

/** To inject ModelPort; null where no model is configured. */
export const MODEL_PORT = Symbol('ModelPort');
