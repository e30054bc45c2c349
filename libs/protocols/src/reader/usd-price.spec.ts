import { PlanBuilder } from '@plimsoll/evm';
import type { Address } from 'viem';
import { openListing } from '../../test/open-listing';
import { addUsdPrice, type UsdOracle } from './usd-price';

const WAD = 10n ** 18n;

interface PricedTokens {
  oracles: Record<'aave' | 'venus', Address>;
  tokens: Record<'usdc' | 'weth' | 'other', Address>;
}

describe('addUsdPrice, by the oracles of Aave and of Venus', () => {
  const { description, parts, block } = openListing<PricedTokens>('dollar-oracles');
  const { aave, venus } = description.oracles;
  const { usdc, weth, other } = description.tokens;
  const priceOf = (oracles: readonly UsdOracle[], token: Address): Promise<bigint | null> => {
    const plan = new PlanBuilder(1, 'price');
    const price = addUsdPrice(plan, oracles, token);
    return parts.multicall.read(plan.build(price), block);
  };

  it('is the price of the first oracle that knows the token', async () => {
    const oracles = [aave, { venus }];
    expect(await priceOf(oracles, usdc)).toBe((9_998n * WAD) / 10_000n);
    expect(await priceOf(oracles, weth)).toBe(2_500n * WAD);
    expect(await priceOf([{ venus }], weth)).toBe(2_400n * WAD);
    expect(await priceOf(oracles, other)).toBeNull();
    expect(await priceOf([], weth)).toBeNull();
  });
});
