import type { PositionState } from './position-state';
import type { ResolveReason, StandingType } from './standing-conditions';

/** Title and message of an alert. */
export interface AlertText {
  title: string;
  message: string;
}

/** Where a position is, for people. */
export const place = ({ protocol, chainId }: PositionState): string => `${protocol} on chain ${chainId}`;

/** Cut, never rounded: 0.99999 must not read as 1. */
export function shownHealthFactor(healthFactor: number | null): string {
  return healthFactor === null ? 'none (no debt)' : String(Math.trunc(healthFactor * 1e4) / 1e4);
}

/**
 * What is told when an alert opens.
 * @param collateralDrop share that the collateral lost within the last hour, 0 to 1
 */
export function openedText(type: StandingType, position: PositionState, collateralDrop: number): AlertText {
  const healthFactor = shownHealthFactor(position.healthFactor);
  if (type === 'collateral_drop') {
    const percent = (collateralDrop * 100).toFixed(1);
    return {
      title: `Collateral lost ${percent} % within an hour`,
      message: `Prices took ${percent} % from the collateral of the position in ${place(position)} within an hour; its health factor is ${healthFactor}. Check whether it needs more collateral or less debt.`,
    };
  }
  if (position.band === 'liquidatable') {
    return {
      title: `Liquidatable: health factor ${healthFactor}`,
      message: `The position in ${place(position)} can be liquidated now: its health factor is ${healthFactor}. Add collateral or repay debt at once.`,
    };
  }
  if (type === 'liquidation_risk') {
    return {
      title: `Liquidation risk: health factor ${healthFactor}`,
      message: `The position in ${place(position)} is close to liquidation: its health factor is ${healthFactor}, at 1 it can be liquidated. Add collateral or repay debt.`,
    };
  }
  return {
    title: `Health factor ${healthFactor}`,
    message: `The health factor of the position in ${place(position)} is ${healthFactor}; at 1 it can be liquidated. Consider more collateral or less debt.`,
  };
}

/** What is told when an alert resolves. */
export function resolvedText(
  { type, reason }: { type: StandingType; reason: ResolveReason },
  position: PositionState,
): AlertText {
  if (reason === 'unwatched') {
    return {
      title: 'No longer watched',
      message: `The wallet of the position in ${place(position)} is not watched any more. Watch it again to be alerted.`,
    };
  }
  if (reason === 'closed') {
    return { title: 'Position closed', message: `The position in ${place(position)} is closed.` };
  }
  const healthFactor = shownHealthFactor(position.healthFactor);
  if (type === 'collateral_drop') {
    return {
      title: 'Collateral steady again',
      message: `The collateral of the position in ${place(position)} is no longer far below what it was worth an hour ago; its health factor is ${healthFactor}.`,
    };
  }
  return {
    title: `Recovered: health factor ${healthFactor}`,
    message: `The health factor of the position in ${place(position)} is back at ${healthFactor}.`,
  };
}
