import { holdingsOf } from './holdings';

/** A leg of a market that counts in ETH, at 3,000 USD. */
const leg = (asset: string, side: 'collateral' | 'debt', amount: number, priceEth: number) => ({
  asset,
  side,
  amount,
  usedAsCollateral: side === 'collateral',
  priceRaw: String(priceEth * 1e18),
  priceDecimals: 18,
  usdValue: amount * priceEth * 3_000,
});

describe('holdingsOf', () => {
  it('returns prices in USD, in whatever currency the market counts', () => {
    const holdings = holdingsOf([leg('WSTETH', 'collateral', 10, 1.2), leg('WETH', 'debt', 5, 1)]);
    expect(holdings).toEqual({
      prices: { WSTETH: 3_600, WETH: 3_000 },
      collateral: { WSTETH: 10 },
      debt: { WETH: 5 },
    });
  });

  it('uses the USD price of the leg', () => {
    const said = { ...leg('WSTETH', 'collateral', 10, 1.2), priceUsd: 3_600.1 };
    expect(holdingsOf([said]).prices).toEqual({ WSTETH: 3_600.1 });
  });

  it('adds the legs of one asset, and omits empty ones and supplies that are not collateral', () => {
    const idle = { ...leg('WETH', 'collateral', 1, 1), usedAsCollateral: false };
    const legs = [leg('WSTETH', 'collateral', 10, 1.2), leg('WSTETH', 'collateral', 2, 1.2), idle];
    expect(holdingsOf([...legs, leg('USDC', 'debt', 0, 0)])).toEqual({
      prices: { WSTETH: 3_600, WETH: 3_000 },
      collateral: { WSTETH: 12 },
      debt: {},
    });
  });
});
