import { type PositionDetail, invalidRequest } from '@plimsoll/contracts';
import { type HeldPosition, inEMode } from '@plimsoll/risk-position';
import { exactHealthFactorOf } from './exact-health';

const WAD = 1e18;

/**
 * The position in an e-mode that it may enter. Its health factor is recomputed in the contract's own
 * arithmetic, or as read from the chain if that is unknown.
 * @throws invalid_request for an e-mode that is not among those of the position
 */
export function movedPosition(detail: PositionDetail, eMode: number): HeldPosition {
  const moved = inEMode(detail, eMode);
  if (moved === null) {
    const message = 'The position may not enter this e-mode, or is no safer in it. Take one of its eModes.';
    throw invalidRequest([{ field: 'eMode', code: 'not_available', message }]);
  }
  const exact = exactHealthFactorOf(detail, moved);
  return exact === null
    ? moved
    : { ...moved, healthFactorRaw: exact.toString(), healthFactor: Number(exact) / WAD };
}
