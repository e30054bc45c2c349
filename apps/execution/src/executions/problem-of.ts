import { Problem } from '@plimsoll/contracts';
import { ChainReadError } from '@plimsoll/evm';
import { Unexecutable } from '@plimsoll/protocols';
import { Refusal, unsupported } from '../planning/refusal';

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
