import type { Band, PositionV1 } from '@plimsoll/contracts';

/** What alerts keep of a position: what conditions look at and what an alert tells. */
export interface PositionState {
  id: string;
  sequence: number;
  wallet: string;
  protocol: string;
  chainId: number;
  healthFactor: number | null;
  collateralUsd: number;
  debtUsd: number;
  band: Band;
  closed: boolean;
}

export function positionState(event: PositionV1): PositionState {
  const { id, sequence, wallet, protocol, chainId, healthFactor, band, closed } = event;
  const { totalCollateralUsd: collateralUsd, totalDebtUsd: debtUsd } = event;
  return { id, sequence, wallet, protocol, chainId, healthFactor, collateralUsd, debtUsd, band, closed };
}
