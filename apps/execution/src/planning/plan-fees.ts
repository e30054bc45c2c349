import type { ExecutionFees } from '@plimsoll/contracts';
import type { Draft } from './plan';
import { toDouble } from './usd';

const WEI_DECIMALS = 18;

/** Present gas price of a chain. */
export interface GasPrice {
  gasPriceWei: bigint;
  /** Symbol of the chain’s native coin. */
  nativeCurrency: string;
  /** Null when GET /v1/prices has no fresh price. */
  nativePriceUsd: number | null;
}

/**
 * Returns the fees of a plan in USD.
 * @param gas simulated gas of each call
 */
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
