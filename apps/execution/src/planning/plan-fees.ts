import type { ExecutionFees } from '@plimsoll/contracts';
import type { Draft } from './plan';
import { toDouble } from './usd';

const WEI_DECIMALS = 18;

/** What gas costs on a chain now. */
export interface GasPrice {
  gasPriceWei: bigint;
  /** Symbol of the chain’s own coin. */
  nativeCurrency: string;
  /** Null where GET /v1/prices has no fresh one. */
  nativePriceUsd: number | null;
}

/** What a plan pays to others in USD. @param gas that each call took when simulated */
export function planFees(
  gas: readonly bigint[],
  { feeUsd, flashPremiumUsd }: Draft['costs'],
  { gasPriceWei, nativeCurrency, nativePriceUsd }: GasPrice,
): ExecutionFees {
  const coins = toDouble(gas.reduce((sum, used) => sum + used, 0n) * gasPriceWei, WEI_DECIMALS);
  const gasUsd = nativePriceUsd === null ? null : coins * nativePriceUsd;
  return {
    gasPriceWei: gasPriceWei.toString(),
    nativeCurrency,
    nativePriceUsd,
    gasUsd,
    swapFeeUsd: feeUsd,
    flashPremiumUsd,
    totalUsd: gasUsd === null ? null : gasUsd + feeUsd + flashPremiumUsd,
  };
}
