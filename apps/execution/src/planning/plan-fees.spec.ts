import { planFees } from './plan-fees';

const costs = { feeUsd: 3, slippageUsd: 50, flashPremiumUsd: 2 };

describe('planFees', () => {
  it('prices gas by the native coin, and adds the fees of swap and flash loan', () => {
    const fees = planFees([100_000n, 143_000n], costs, {
      gasPriceWei: 20_000_000_000n,
      nativeCurrency: 'ETH',
      nativePriceUsd: 3_000,
    });
    expect(fees).toMatchObject({
      gasPriceWei: '20000000000',
      nativeCurrency: 'ETH',
      nativePriceUsd: 3_000,
      swapFeeUsd: 3,
      flashPremiumUsd: 2,
    });
    expect(fees.gasUsd).toBeCloseTo(243_000 * 20e-9 * 3_000, 10);
    expect(fees.totalUsd).toBeCloseTo(fees.gasUsd! + 5, 10);
  });

  it('reports gas without a price as unknown, not as free', () => {
    const fees = planFees([1n], costs, { gasPriceWei: 1n, nativeCurrency: 'XPL', nativePriceUsd: null });
    expect(fees).toMatchObject({ nativePriceUsd: null, gasUsd: null, totalUsd: null, swapFeeUsd: 3 });
  });
});
