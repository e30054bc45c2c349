/** One sentence of an answer, with the facts that it rests on. */
export interface Claim {
  readonly text: string;
  readonly factIds: readonly string[];
  /** Heading of a longer answer that it stands under. */
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
