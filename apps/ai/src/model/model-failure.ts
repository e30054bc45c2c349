import type { TokenUsage } from './model-port';

/** Why a model gave no draft. */
export type ModelFailureKind =
  | 'over_budget'
  | 'busy'
  | 'away'
  | 'late'
  | 'left'
  | 'unreachable'
  | 'rate_limited'
  | 'failed'
  | 'refused'
  | 'broken_draft';

const RETRYABLE_KINDS: ReadonlySet<ModelFailureKind> = new Set(['unreachable', 'rate_limited', 'failed']);

/** Contains nothing of the provider's message, which may contain the prompt or a key. */
export class ModelFailure extends Error {
  /**
   * @param status of the provider's response
   * @param retryAfterMs the wait that the provider requested
   * @param usage of the failed call; undefined: unknown
   */
  constructor(
    readonly kind: ModelFailureKind,
    readonly options: { status?: number; retryAfterMs?: number; usage?: TokenUsage } = {},
  ) {
    super(`the model gave no draft: ${kind}${options.status === undefined ? '' : ` (${options.status})`}`);
    this.name = 'ModelFailure';
  }

  get isWorthRetrying(): boolean {
    return RETRYABLE_KINDS.has(this.kind);
  }
}
