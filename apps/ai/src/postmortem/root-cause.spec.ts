import fc from 'fast-check';
import { type OwnMoves, type PositionAtTime, rootCauseOf, sharesOf } from './root-cause';

const BEFORE: PositionAtTime = { healthFactor: 1.6, collateralUsd: 100_000, debtUsd: 50_000 };
const nothing: OwnMoves = { withdrawnUsd: 0, borrowedUsd: 0, owesStable: true };
const causeOf = (
  after: Partial<PositionAtTime>,
  moves: Partial<OwnMoves> = {},
  oracleFailed = false,
): string => rootCauseOf(sharesOf(BEFORE, { ...BEFORE, ...after }, { ...nothing, ...moves }), oracleFailed);

describe('rootCauseOf', () => {
  it('a fall of prices: the collateral lost value and no wallet acted', () => {
    expect(causeOf({ healthFactor: 1.12, collateralUsd: 70_000 })).toBe('price');
    expect(causeOf({ healthFactor: 1.12, collateralUsd: 70_000 }, {}, true)).toBe('oracle');
  });

  it('a withdrawal: as much is missing as was taken out', () => {
    expect(causeOf({ healthFactor: 1.12, collateralUsd: 70_000 }, { withdrawnUsd: 30_000 })).toBe(
      'withdrawal',
    );
  });

  it('a growing debt, borrowed or by interest', () => {
    expect(causeOf({ healthFactor: 1.14, debtUsd: 70_000 }, { borrowedUsd: 20_000 })).toBe('debt_growth');
    expect(causeOf({ healthFactor: 1.14, debtUsd: 70_000 })).toBe('debt_growth');
  });

  it('a price again, when the price of a debt rose', () => {
    expect(causeOf({ healthFactor: 1.14, debtUsd: 70_000 }, { owesStable: false })).toBe('price');
  });

  it('a change of the protocol: the same amounts, a lower health factor', () => {
    expect(causeOf({ healthFactor: 1.2 })).toBe('protocol_change');
  });

  it('unknown when nothing lowered it', () => {
    expect(causeOf({})).toBe('unknown');
    expect(causeOf({ healthFactor: 2, collateralUsd: 125_000 })).toBe('unknown');
  });

  it('the shares add up to the logarithm of the fall', () => {
    const amount = fc.double({ min: 1, max: 1e9, noNaN: true });
    const state = fc.record({
      healthFactor: fc.double({ min: 0.1, max: 10, noNaN: true }),
      collateralUsd: amount,
      debtUsd: amount,
    });
    fc.assert(
      fc.property(state, state, amount, amount, fc.boolean(), (before, after, out, more, owesStable) => {
        const shares = sharesOf(before, after, { withdrawnUsd: out, borrowedUsd: more, owesStable });
        const sum = Object.values(shares).reduce((total, each) => total + each, 0);
        expect(sum).toBeCloseTo(Math.log(before.healthFactor / after.healthFactor), 6);
      }),
      { seed: 12 },
    );
  });
});
