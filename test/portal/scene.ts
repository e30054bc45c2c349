import { type SeededWallet, assetListing } from '@plimsoll/devnet';

/** A position at 1.4 falls to 1.18. */
export const SHOCKED_USD = (Number(assetListing('WETH').priceUsd) / 1e8) * 0.845;

/** A position whose only collateral is WETH. */
export const borrowerAt = (wallets: readonly SeededWallet[], healthFactor: number): SeededWallet =>
  wallets.find(
    ({ plan }) =>
      plan.healthFactor === healthFactor && plan.supplies.length === 1 && plan.supplies[0]?.symbol === 'WETH',
  )!;
