import { Problem, type RefusalReason } from '@plimsoll/contracts';
import { ChainReadError } from '@plimsoll/evm';
import { Unexecutable } from '@plimsoll/protocols';

/** A refused execution: the caller, or the state of the chain, must change. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly reason: RefusalReason,
    /** Public text: the obstacle and the next step. */
    readonly detail: string,
    /** The field of the body that caused it. */
    readonly field: string = '',
  ) {
    super(`${reason}: ${detail}`);
  }

  /** Returns the problem for the client. */
  problem(): Problem {
    return new Problem('execution_refused', this.detail, {
      errors: [{ field: this.field, code: this.reason, message: this.detail }],
      cause: this,
    });
  }
}

/** Returns a 400 unsupported_execution with the field, for a request that can never be executed here. */
export function unsupported(field: string, code: string, message: string): Problem {
  return new Problem('unsupported_execution', message, { errors: [{ field, code, message }] });
}

/** Returns the error as the client receives it. */
export function problemOf(error: unknown): unknown {
  if (error instanceof Refusal) return error.problem();
  if (error instanceof Unexecutable)
    return unsupported('positionId', 'position_not_executable', error.message);
  if (error instanceof ChainReadError) {
    const detail = `Chain ${error.chainId} cannot be read now. Send the request again in a moment.`;
    return new Problem('upstream_unavailable', detail, { cause: error, headers: { 'retry-after': '1' } });
  }
  return error;
}
