import { priceSymbol, symbolsOfPrice } from './prices';

describe('priceSymbol', () => {
  it.each([
    ['weth', 'ETH'],
    ['ETH', 'ETH'],
    ['WBTC', 'BTC'],
    ['wstETH', 'WSTETH'],
  ])('%s is %s', (symbol, expected) => {
    expect(priceSymbol(symbol)).toBe(expected);
  });
});

describe('symbolsOfPrice', () => {
  it('names the coin and its wrapped token', () => {
    expect(symbolsOfPrice('ETH')).toEqual(['ETH', 'WETH']);
    expect(symbolsOfPrice('BTC')).toEqual(['BTC', 'WBTC']);
    expect(symbolsOfPrice('LINK')).toEqual(['LINK']);
    for (const symbol of symbolsOfPrice('ETH')) expect(priceSymbol(symbol)).toBe('ETH');
  });
});
