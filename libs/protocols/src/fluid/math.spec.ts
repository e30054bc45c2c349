import fc from 'fast-check';
import { fluidDebtUsd, fluidFigures, fluidPrincipal } from './math';

const ONE = 10n ** 12n;

describe('fluidPrincipal', () => {
  it("returns the stored amount of a position from the resolver's rounded one", () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 30n });
    const prices = fc.bigInt({ min: ONE, max: 10n * ONE });
    fc.assert(
      fc.property(amounts, prices, (raw, price) => {
        expect(fluidPrincipal((raw * price) / ONE, price)).toBe(raw);
      }),
    );
  });
});

describe('fluidFigures', () => {
  it('no health factor without a debt, and 0 without collateral', () => {
    expect(fluidFigures({ supply: 5n, borrow: 0n }, 10n ** 27n, 9_000n).healthFactor).toBeNull();
    expect(fluidFigures({ supply: 0n, borrow: 5n }, 10n ** 27n, 9_000n).healthFactor).toBe(0n);
  });
});

describe('fluidDebtUsd', () => {
  it('is the price of the collateral over its value in the debt', () => {
    const bitcoinInUsdc = 90_000n * 10n ** 25n;
    expect(fluidDebtUsd(90_000n * 10n ** 18n, bitcoinInUsdc, 8, 6)).toBe(10n ** 18n);
    expect(fluidDebtUsd(1n, 0n, 8, 6)).toBeNull();
  });
});
