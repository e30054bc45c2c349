import { depthOfSymbol } from './risk-position';

describe('depthOfSymbol', () => {
  it('finds the depth class of an asset under each of its symbols', () => {
    for (const symbol of ['ETH', 'weth', 'UETH']) expect(depthOfSymbol(symbol).class).toBe('eth');
    for (const symbol of ['WBTC', 'cbBTC', 'BTCB']) expect(depthOfSymbol(symbol).class).toBe('btc');
    for (const symbol of ['wstETH', 'stETH']) expect(depthOfSymbol(symbol).class).toBe('steth');
    expect(depthOfSymbol('MATIC').class).toBe('listed');
    expect(depthOfSymbol('NOPE')).toMatchObject({ class: 'unknown', basis: 'default' });
  });
});
