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

const WORTH_RETRYING: ReadonlySet<ModelFailureKind> = new Set(['unreachable', 'rate_limited', 'failed']);

/** Carries nothing of what the provider said: that may hold the prompt or a key. */
export class ModelFailure extends Error {
  /**
   * @param status of the provider's answer
   * @param retryAfterMs the provider asks to wait so long
   * @param usage what the call took all the same; undefined: not known
   */
  constructor(
    readonly kind: ModelFailureKind,
    readonly options: { status?: number; retryAfterMs?: number; usage?: TokenUsage } = {},
  ) {
    super(`the model gave no draft: ${kind}${options.status === undefined ? '' : ` (${options.status})`}`);
    this.name = 'ModelFailure';
  }

  get isWorthRetrying(): boolean {
    return WORTH_RETRYING.has(this.kind);
  }
}
