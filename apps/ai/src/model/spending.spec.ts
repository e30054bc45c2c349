import { Allowance, nanoUsd, spendingOf } from './spending';

describe('spending', () => {
  const prices = { AI_INPUT_USD_PER_MILLION: 0.15, AI_OUTPUT_USD_PER_MILLION: 0.6 };

  it('is the price of the tokens, to the billionth, rounded up', () => {
    expect(spendingOf({ input: 1_000, output: 100 }, prices)).toEqual({ tokens: 1_100, nanoUsd: 210_000n });
    expect(spendingOf({ input: 1, output: 0 }, { ...prices, AI_INPUT_USD_PER_MILLION: 0.0001 }).nanoUsd).toBe(
      1n,
    );
    expect(nanoUsd(0.25)).toBe(250_000_000n);
  });

  it('an allowance spends tokens and money while both last, and accepts unused ones back', () => {
    const allowance = new Allowance({ tokens: 100, nanoUsd: 50n });
    expect(allowance.spend({ tokens: 60, nanoUsd: 51n })).toBe(false);
    expect(allowance.spend({ tokens: 60, nanoUsd: 30n })).toBe(true);
    expect(allowance.spend({ tokens: 60, nanoUsd: 10n })).toBe(false);
    allowance.refund({ tokens: 20, nanoUsd: 0n });
    expect(allowance.spend({ tokens: 60, nanoUsd: 20n })).toBe(true);
  });
});
