import type { PositionLegV1 } from '@plimsoll/contracts';
import type { ContractFigures } from '../content/contract-figures';

/** Amounts by symbol, and the protocol's own oracle prices in USD of all of them. */
export interface Holdings {
  prices: Record<string, number>;
  /** Only what counts as collateral. */
  collateral: Record<string, number>;
  debt: Record<string, number>;
  /** In the integers of the contract; absent in states that an earlier release stored. */
  contract?: ContractFigures;
}

export const NO_HOLDINGS: Holdings = { prices: {}, collateral: {}, debt: {} };

/** What a position has as collateral or owes of an asset. */
type HeldLeg = Pick<PositionLegV1, 'asset' | 'side' | 'amount' | 'usdValue' | 'priceUsd'> & {
  usedAsCollateral?: boolean;
};

export function holdingsOf(legs: readonly HeldLeg[]): Holdings {
  const holdings: Holdings = { prices: {}, collateral: {}, debt: {} };
  for (const { asset, side, amount, usdValue, priceUsd, usedAsCollateral } of legs) {
    if (amount === 0) continue;
    // priceRaw may be in another currency that the market reckons in; older versions do not say what it is in dollars.
    holdings.prices[asset] = priceUsd ?? usdValue / amount;
    if (side === 'debt') holdings.debt[asset] = (holdings.debt[asset] ?? 0) + amount;
    else if (usedAsCollateral) holdings.collateral[asset] = (holdings.collateral[asset] ?? 0) + amount;
  }
  return holdings;
}
