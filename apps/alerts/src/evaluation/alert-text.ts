import type { PositionState } from './position-state';
import type { ResolveReason, StandingType } from './standing-conditions';

/** Title and message of an alert. */
export interface AlertText {
  title: string;
  message: string;
}

const place = ({ protocol, chainId }: PositionState): string => `${protocol} on chain ${chainId}`;

/** Cut, never rounded: 0.99999 must not read as 1. */
function shown(healthFactor: number | null): string {
  return healthFactor === null ? 'none (no debt)' : String(Math.trunc(healthFactor * 1e4) / 1e4);
}

/** What is told when an alert opens. */
export function openedText(type: StandingType, position: PositionState): AlertText {
  const healthFactor = shown(position.healthFactor);
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
export function resolvedText(reason: ResolveReason, position: PositionState): AlertText {
  if (reason === 'unwatched') {
    return {
      title: 'No longer watched',
      message: `The wallet of the position in ${place(position)} is not watched any more. Watch it again to be alerted.`,
    };
  }
  if (reason === 'closed') {
    return { title: 'Position closed', message: `The position in ${place(position)} is closed.` };
  }
  const healthFactor = shown(position.healthFactor);
  return {
    title: `Recovered: health factor ${healthFactor}`,
    message: `The health factor of the position in ${place(position)} is back at ${healthFactor}.`,
  };
}
