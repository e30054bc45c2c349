import fc from 'fast-check';
import { PERCENTAGE_FACTOR, RAY, WAD, percentMul, rayMul, wadDiv } from './math';

const amount = fc.bigInt({ min: 0n, max: 10n ** 32n });
/** Distance of a rounded quotient from the exact one, doubled and scaled by the divisor. */
const doubledError = (result: bigint, numerator: bigint, divisor: bigint): bigint =>
  2n * (numerator - result * divisor);

describe('rayMul, wadDiv, percentMul', () => {
  it('round half up: the exact value is in [result − ½, result + ½)', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        for (const [result, numerator, divisor] of [
          [rayMul(a, b), a * b, RAY],
          [percentMul(a, b), a * b, PERCENTAGE_FACTOR],
        ] as const) {
          const off = doubledError(result, numerator, divisor);
          expect(off >= -divisor && off < divisor).toBe(true);
        }
      }),
    );
  });

  it('wadDiv undoes a whole multiple', () => {
    fc.assert(
      fc.property(amount, fc.bigInt({ min: 1n, max: 10n ** 20n }), (a, b) => wadDiv(a * b, b) === a * WAD),
    );
  });

  it('wadDiv by 0 throws, as the contract reverts', () => {
    expect(() => wadDiv(1n, 0n)).toThrow(RangeError);
  });

  it('round exactly one half up', () => {
    expect(rayMul(1n, RAY / 2n)).toBe(1n);
    expect(rayMul(1n, RAY / 2n - 1n)).toBe(0n);
    expect(percentMul(1n, 5_000n)).toBe(1n);
    expect(percentMul(1n, 4_999n)).toBe(0n);
  });
});
