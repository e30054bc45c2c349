import { planOf, type BlockRef } from '@plimsoll/evm';
import type { Address } from 'viem';
import { WAD } from '../fixed-point/math';
import type { ReadScope } from './family';
import { type MarketTotals, toUsd, totalsOf } from './market-totals';
import { addToken } from './tokens';
import { addUsdPrice } from './usd-price';

/** The supplied and borrowed amounts of a token, in its smallest unit. */
export interface AssetTotal {
  token: Address;
  supplied: bigint;
  borrowed: bigint;
}

/**
 * The totals of reserves at the prices of the chain's dollar oracles, for protocols in which any account can
 * open a market with its own oracle. Assets without such a price, or without decimals, count as zero. Null if no asset has a price.
 * @throws ChainReadError
 */
export async function assetTotals(
  { row, multicall, usdOracles }: Pick<ReadScope, 'row' | 'multicall' | 'usdOracles'>,
  assets: readonly AssetTotal[],
  block: BlockRef,
): Promise<MarketTotals | null> {
  const held = assets.filter(({ supplied, borrowed }) => supplied + borrowed > 0n);
  const plan = planOf(row, 'prices of totals');
  const tokens = new Map(
    held.map(({ token }) => [
      token,
      { own: addToken(plan, token), usd: addUsdPrice(plan, usdOracles, token) },
    ]),
  );
  if (tokens.size === 0) return totalsOf([], block.number);
  return multicall.read(
    plan.build((results) => {
      const reserves = held.flatMap(({ token, supplied, borrowed }) => {
        const { own, usd } = tokens.get(token)!;
        const price = usd(results);
        if (price === null) return [];
        const known = own(results);
        if (known === null) return [];
        const { decimals } = known;
        const usdValue = (amount: bigint): number => toUsd(amount * price, decimals + 18, WAD);
        return [{ suppliedUsd: usdValue(supplied), borrowedUsd: usdValue(borrowed) }];
      });
      return reserves.length > 0 ? totalsOf(reserves, block.number) : null;
    }),
    block,
  );
}
