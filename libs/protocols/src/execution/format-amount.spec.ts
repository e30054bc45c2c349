import { amountOf, formatAmount } from './format-amount';

describe('shownAmount', () => {
  it.each([
    [1_240_500_000n, 6, '1,240.50'],
    [1_234_567_894_999n, 6, '1,234,567.89'],
    [1_000_000n, 6, '1.00'],
    [1_234_500_000_000_000_000n, 18, '1.2345'],
    [54_321_000_000_000_000n, 18, '0.054321'],
    [5_432_100n, 8, '0.054321'],
    [0n, 18, '0.00'],
    [1n, 18, 'less than 0.00000001'],
    [999_999_999_999_999_999_999n, 18, '1,000.00'],
    [7n, 0, '7.00'],
  ])('%s with %s decimals is %s', (raw, decimals, text) => {
    expect(formatAmount(raw, decimals)).toBe(text);
  });

  it('names the token', () => {
    expect(amountOf({ symbol: 'USDC', decimals: 6 }, 1_240_500_000n)).toBe('1,240.50 USDC');
  });
});
