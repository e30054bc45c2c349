import fc from 'fast-check';
import { PRICE_STEP_MS, PriceWindow, moveFrom } from './price-window';

const at = (minute: number): number => minute * PRICE_STEP_MS;

describe('PriceWindow', () => {
  it('returns the range of the last minutes, without minutes that have no price', () => {
    const window = new PriceWindow('ETH', [
      { asset: 'ETH', minute: 1, high: 120, low: 90, close: 100, atMs: at(1) },
    ]);
    window.add(105, at(3));
    window.add(101, at(3) + 1_000);
    expect(window.range(at(3), 3)).toEqual({ high: 120, low: 90 });
    expect(window.range(at(3), 2)).toEqual({ high: 105, low: 101 });
    expect(window.range(at(20), 5)).toBeNull();
    expect(window.changedMinutes).toEqual([
      { asset: 'ETH', minute: 3, high: 105, low: 101, close: 101, atMs: at(3) + 1_000 },
    ]);
  });

  it('has the same range with and without a restart between prices', () => {
    const prices = fc.array(
      fc.record({ usd: fc.double({ min: 1, max: 1e4, noNaN: true }), laterMs: fc.nat(90_000) }),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(prices, fc.nat(40), (ticks, restartAt) => {
        const whole = new PriceWindow('ETH', []);
        let parted = new PriceWindow('ETH', []);
        let atMs = 0;
        for (const [index, { usd, laterMs }] of ticks.entries()) {
          atMs += laterMs;
          if (index === restartAt) parted = new PriceWindow('ETH', structuredClone(parted.changedMinutes));
          whole.add(usd, atMs);
          parted.add(usd, atMs);
        }
        expect(parted.range(atMs, 10)).toEqual(whole.range(atMs, 10));
      }),
    );
  });
});

describe('moveFrom', () => {
  it.each([
    [{ high: 100, low: 100 }, 110, 0.1],
    [{ high: 100, low: 100 }, 90, -0.1],
    [{ high: 110, low: 100 }, 99, -0.1],
    [{ high: 100, low: 90 }, 99, 0.1],
    [{ high: 100, low: 100 }, 100, 0],
  ])('of %j to %d is %d', (range, usd, move) => expect(moveFrom(range, usd)).toBeCloseTo(move, 12));
});
