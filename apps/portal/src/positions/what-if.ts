import { arithmeticOfHeld, shockedHealthFactor } from '@plimsoll/protocols/math';
import { priceSymbol, riskPosition, whatIf } from '@plimsoll/risk-math';
import type { Changes, Held } from './held';

const WAD = 1e18;
/** The largest difference between the browser and the API, relative to the larger one. */
export const TOLERANCE = 1e-9;

export interface Outcome {
  /** Null without debt. */
  healthFactor: number | null;
  collateralUsd: number;
  debtUsd: number;
  /** The change of everything that is supplied minus everything that is owed. USD. */
  changeUsd: number;
}

/** Computes a position at other prices. Parts that do not depend on the prices are computed once. */
export function modelOf(position: Held): (changes: Changes) => Outcome {
  const risk = riskPosition(position);
  const arithmetic = arithmeticOfHeld(position);
  return (changes) => {
    const shocks = Object.entries(changes).map(([asset, priceChangePercent]) => ({
      asset,
      priceChangePercent,
    }));
    const { newHealthFactor, collateralUsd, debtUsd, netWorthBeforeUsd, netWorthAfterUsd } = whatIf(
      risk,
      shocks,
    );
    const exact =
      arithmetic &&
      shockedHealthFactor(arithmetic, position, (asset) => 1 + (changes[priceSymbol(asset)] ?? 0) / 100);
    return {
      healthFactor: exact === null ? newHealthFactor : Number(exact) / WAD,
      collateralUsd,
      debtUsd,
      changeUsd: netWorthAfterUsd - netWorthBeforeUsd,
    };
  };
}

/** Whether two health factors are the same figure. */
export function isSame(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b;
  return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(a, b);
}
