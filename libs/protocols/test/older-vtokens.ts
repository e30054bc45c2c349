import { venusCoreArtifacts, type VenusCorePool } from '@plimsoll/devnet';
import { maxUint256, type Address } from 'viem';
import type { Call, LocalChain } from './local-chain';

const EXCHANGE_DECIMALS = 8;

/** A token that gets a market of the older kind. Factor and threshold have 18 decimals. */
export interface OlderListing {
  token: Address;
  symbol: string;
  decimals: number;
  /** Dollars of the smallest unit, with 36 decimals. */
  mantissa: bigint;
  factor: bigint;
  threshold: bigint;
}

/**
 * Deploys a market of the first version that Venus published. Its code and its logs are those of Compound v2, except for
 * supplies for others, delegates and fees. The calls list it.
 */
export async function deployOlderVToken(
  chain: LocalChain,
  pool: VenusCorePool,
  { token, symbol, decimals, mantissa, factor, threshold }: OlderListing,
): Promise<{ vToken: Address; calls: readonly Call[] }> {
  const { VBep20DelegateR1, VBep20DelegatorR1 } = venusCoreArtifacts();
  const [rates] = (await chain.readMany(
    [pool.call('VBep20Immutable', pool.vTokens[0]!, 'interestRateModel')],
    await chain.head(),
  )) as [Address];
  const exchangeRate = 2n * 10n ** BigInt(EXCHANGE_DECIMALS + decimals);
  const implementation = await chain.deploy(VBep20DelegateR1);
  const named = [`Venus ${symbol}`, `v${symbol}`, 8];
  const market = [token, pool.comptroller, rates, exchangeRate, ...named];
  const vToken = await chain.deploy(VBep20DelegatorR1, [...market, chain.operator, implementation, '0x']);
  const set = (name: string, args: readonly unknown[]): Call =>
    pool.call('SetterFacet', pool.comptroller, name, args);
  const calls = [
    pool.call('MarketFacet', pool.comptroller, 'supportMarket', [vToken]),
    pool.setPrice(vToken, mantissa),
    set('setMarketSupplyCaps', [[vToken], [maxUint256]]),
    set('setMarketBorrowCaps', [[vToken], [maxUint256]]),
    set('setCollateralFactor', [vToken, factor, threshold]),
    set('setIsBorrowAllowed', [0n, vToken, true]),
  ];
  return { vToken, calls };
}
