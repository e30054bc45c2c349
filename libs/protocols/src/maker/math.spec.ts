import fc from 'fast-check';
import { RAY } from '../fixed-point/math';
import { ilkRate, makerFigures, rayPow } from './math';

const YEAR = 31_536_000n;

describe('rayPow', () => {
  it('is 1 for no seconds, and the number itself for one', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n * RAY }), (x) => {
        expect(rayPow(x, 0n)).toBe(RAY);
        expect(rayPow(x, 1n)).toBe(x);
      }),
    );
    expect([rayPow(0n, 0n), rayPow(0n, 7n)]).toEqual([RAY, 0n]);
  });

  it("turns Maker's rate of five percent a year, 1000000001547125957863212448, into a factor of 1.05", () => {
    const duty = 1_000_000_001_547_125_957_863_212_448n;
    const year = rayPow(duty, YEAR);
    const [wanted, off] = [(RAY * 105n) / 100n, 10n ** 18n];
    expect(year > wanted - off && year < wanted + off).toBe(true);
  });
});

describe('ilkRate', () => {
  it('never falls with time', () => {
    const fee = { rate: RAY, duty: RAY + 968_094_123_456_789_012n, base: 0n, lastDrip: 1_000n };
    const seconds = fc.bigInt({ min: 0n, max: 10n * YEAR });
    fc.assert(
      fc.property(seconds, seconds, (a, b) => {
        const [sooner, later] = a < b ? [a, b] : [b, a];
        expect(ilkRate(fee, 1_000n + later) >= ilkRate(fee, 1_000n + sooner)).toBe(true);
      }),
    );
  });
});

describe('makerFigures', () => {
  it('has no health factor without a spot, with which the Dog never barks', () => {
    const urn = { ink: 10n ** 18n, art: 10n ** 18n };
    expect(makerFigures(urn, { spot: 0n, rate: RAY, price: 0n }).healthFactor).toBeNull();
  });

  it('is below 1 exactly when the liquidation contract (Dog) may bark', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 27n });
    fc.assert(
      fc.property(amount, amount, fc.bigInt({ min: RAY, max: 2n * RAY }), (ink, art, rate) => {
        const spot = 3n * RAY;
        const { healthFactor } = makerFigures({ ink, art }, { spot, rate, price: spot });
        expect(healthFactor! < 10n ** 18n).toBe(ink * spot < art * rate);
      }),
    );
  });
});
