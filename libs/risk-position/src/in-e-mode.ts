import type { PositionDetail } from '@plimsoll/contracts';
import type { HeldPosition } from './risk-position';

/** A position with the e-modes that it may enter. */
export type EModePosition = HeldPosition & Pick<PositionDetail, 'eModes'>;

/** Returns the position as it would be in an e-mode, or null when the wallet may not enter that e-mode. */
export function inEMode<T extends EModePosition>(position: T, id: number): T | null {
  const eMode = position.eModes?.find((each) => each.id === id);
  if (!eMode) return null;
  const thresholds = new Map(
    eMode.collateral.map(({ address, liquidationThresholdBps }) => [
      address.toLowerCase(),
      liquidationThresholdBps,
    ]),
  );
  return {
    ...position,
    healthFactor: eMode.healthFactor,
    healthFactorRaw: eMode.healthFactorRaw,
    collateralAssets: position.collateralAssets.map((leg) => {
      const threshold = thresholds.get(leg.address.toLowerCase());
      return threshold === undefined ? leg : { ...leg, liquidationThresholdBps: threshold };
    }),
  };
}
