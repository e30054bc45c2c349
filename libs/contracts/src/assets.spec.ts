import { assetClass, correlatedAssets, isCorrelated } from './assets';

describe('assetClass', () => {
  it.each([
    ['WETH', 'ETH', 'volatile'],
    ['wstETH', 'ETH', 'staked'],
    ['cbBTC', 'BTC', 'wrapped'],
    ['USDC', 'USD', 'stable'],
    ['UNKNOWN', 'UNKNOWN', 'volatile'],
  ])('%s follows %s: %s', (symbol, family, kind) => {
    expect(assetClass(symbol)).toEqual({ family, kind });
  });
});

describe('isCorrelated', () => {
  it('pairs stable with stable and staked ETH with ETH', () => {
    expect(isCorrelated(['USDC', 'EURC'], ['DAI'])).toBe(true);
    expect(isCorrelated(['wstETH', 'rETH'], ['WETH'])).toBe(true);
  });

  it('pairs nothing else', () => {
    expect(isCorrelated(['WETH', 'USDC'], ['DAI'])).toBe(false);
    expect(isCorrelated(['WETH'], ['USDC'])).toBe(false);
    expect(isCorrelated(['WETH'], [])).toBe(false);
  });
});

describe('correlatedAssets', () => {
  it('are those that isCorrelated accepts, named as in price.v1', () => {
    const stable = correlatedAssets('USDC');
    expect(stable).toEqual(expect.arrayContaining(['USDC', 'DAI', 'EURC']));
    expect(stable).not.toContain('ETH');
    const ether = correlatedAssets('wstETH');
    expect(ether).toEqual(expect.arrayContaining(['ETH', 'WSTETH', 'RETH']));
    expect(ether).not.toContain('WETH');
    for (const group of [stable, ether])
      for (const asset of group) {
        expect(isCorrelated([group[0]!], [asset])).toBe(true);
        expect(correlatedAssets(asset)).toEqual(group);
      }
  });

  it('contain only the asset itself when it is volatile', () =>
    expect(correlatedAssets('LINK')).toEqual(['LINK']));
});
