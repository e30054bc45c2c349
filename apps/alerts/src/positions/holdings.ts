import type { PositionLegV1 } from '@plimsoll/contracts';
import type { ContractFigures } from './contract-figures';

/** Amounts by symbol, with the protocol's oracle price of each in USD. */
export interface Holdings {
  prices: Record<string, number>;
  /** Only counted collateral. */
  collateral: Record<string, number>;
  debt: Record<string, number>;
  /** In the integers of the contract. Absent in states of earlier releases. */
  contract?: ContractFigures;
}

export const NO_HOLDINGS: Holdings = { prices: {}, collateral: {}, debt: {} };

/** Collateral or debt of one asset in a position. */
type HeldLeg = Pick<PositionLegV1, 'asset' | 'side' | 'amount' | 'usdValue' | 'priceUsd'> & {
  usedAsCollateral?: boolean;
};

export function holdingsOf(legs: readonly HeldLeg[]): Holdings {
  const holdings: Holdings = { prices: {}, collateral: {}, debt: {} };
  for (const { asset, side, amount, usdValue, priceUsd, usedAsCollateral } of legs) {
    if (amount === 0) continue;
    // priceRaw may be in the market's own currency. Earlier event versions do not state its USD value.
    holdings.prices[asset] = priceUsd ?? usdValue / amount;
    if (side === 'debt') holdings.debt[asset] = (holdings.debt[asset] ?? 0) + amount;
    else if (usedAsCollateral) holdings.collateral[asset] = (holdings.collateral[asset] ?? 0) + amount;
  }
  return holdings;
}
