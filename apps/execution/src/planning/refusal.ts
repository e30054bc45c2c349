import { Problem, type RefusalReason } from '@plimsoll/contracts';

/** What an execution is refused for: the caller, or the state of the chain, has to change. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly reason: RefusalReason,
    /** Public: what stands in the way, and what to do. */
    readonly detail: string,
    /** The field of the body that it is about. */
    readonly field: string = '',
  ) {
    super(`${reason}: ${detail}`);
  }

  /** As the caller gets it. */
  problem(): Problem {
    return new Problem('execution_refused', this.detail, {
      errors: [{ field: this.field, code: this.reason, message: this.detail }],
      cause: this,
    });
  }
}

/** What cannot be executed here whatever the state of the chain: 400 unsupported_execution with the field. */
export function unsupported(field: string, code: string, message: string): Problem {
  return new Problem('unsupported_execution', message, { errors: [{ field, code, message }] });
}
