import { assetClass, isCorrelated } from './assets';

describe('assetClass', () => {
  it.each([
    ['WETH', 'ETH', 'volatile'],
    ['wstETH', 'ETH', 'staked'],
    ['cbBTC', 'BTC', 'wrapped'],
    ['USDC', 'USD', 'stable'],
    ['NOBODY', 'NOBODY', 'volatile'],
  ])('%s follows %s: %s', (symbol, family, kind) => {
    expect(assetClass(symbol)).toEqual({ family, kind });
  });
});

describe('isCorrelated', () => {
  it('is stable against stable and staked ETH against ETH', () => {
    expect(isCorrelated(['USDC', 'EURC'], ['DAI'])).toBe(true);
    expect(isCorrelated(['wstETH', 'rETH'], ['WETH'])).toBe(true);
  });

  it('is nothing else', () => {
    expect(isCorrelated(['WETH', 'USDC'], ['DAI'])).toBe(false);
    expect(isCorrelated(['WETH'], ['USDC'])).toBe(false);
    expect(isCorrelated(['WETH'], [])).toBe(false);
  });
});
