/** One sentence of an answer, with its facts. */
export interface Claim {
  readonly text: string;
  readonly factIds: readonly string[];
  /** The heading above it in a longer answer. */
  readonly section?: string;
}

/**
 * The output of a writer (model or template). cannotAnswer: the reason, when the facts do not answer the
 * question.
 */
export interface DraftAnswer {
  readonly claims: readonly Claim[];
  readonly cannotAnswer: string | null;
}
