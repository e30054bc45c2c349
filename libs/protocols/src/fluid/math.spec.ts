import fc from 'fast-check';
import { fluidDebtUsd, fluidFigures, fluidLiquidationRatio, fluidPrincipal, fluidTickRatio } from './math';

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

describe('fluidTickRatio', () => {
  it('is 1.0015 to the power of the tick within the precision of its bits', () => {
    for (const tick of [-32_767n, -9_001n, -1n, 0n, 1n, 77n, 12_345n, 32_767n]) {
      const exact = 1.0015 ** Number(tick);
      expect(Number(fluidTickRatio(tick)) / 2 ** 96 / exact).toBeCloseTo(1, tick < -20_000n ? 6 : 10);
    }
  });

  it('rounds up above 1 only, at the last digit', () => {
    expect(fluidTickRatio(0n)).toBe(1n << 96n);
    expect(fluidTickRatio(-32_767n)).toBe(37_075_071n);
    expect(fluidTickRatio(32_767n)).toBe(169307877264527972847801929085841449095838922544595n);
  });
});

describe('fluidFigures', () => {
  const terms = {
    price: 10n ** 27n,
    thresholdBps: 9_000n,
    exchangePrices: { supply: ONE, borrow: ONE },
  };

  it('no health factor without a debt', () => {
    expect(fluidFigures({ supply: 5n, borrow: 0n, dust: 0n, tick: 0n }, terms).healthFactor).toBeNull();
  });

  it('is below 1 from the first tick above the liquidation ratio, whatever the amounts', () => {
    const limit = fluidLiquidationRatio(terms);
    const last = BigInt(Math.floor(Math.log(Number(limit) / 2 ** 96) / Math.log(1.0015)));
    const at = (tick: bigint) =>
      fluidFigures({ supply: 100n, borrow: 90n, dust: 1n, tick }, terms).healthFactor!;
    expect(at(last) >= 10n ** 18n).toBe(true);
    expect(at(last + 1n) < 10n ** 18n).toBe(true);
  });

  it('counts the dust as debt', () => {
    expect(fluidFigures({ supply: 100n, borrow: 90n, dust: 1n, tick: -70n }, terms).totalDebt).toBe(91n);
  });
});

describe('fluidDebtUsd', () => {
  it('is the price of the collateral over its value in the debt', () => {
    const bitcoinInUsdc = 90_000n * 10n ** 25n;
    expect(fluidDebtUsd(90_000n * 10n ** 18n, bitcoinInUsdc, 8, 6)).toBe(10n ** 18n);
    expect(fluidDebtUsd(1n, 0n, 8, 6)).toBeNull();
  });
});
