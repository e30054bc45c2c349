import fc from 'fast-check';
import { decodeReserveConfiguration, isBorrowing, isUsingAsCollateral } from './bitmaps-math';

describe('decodeReserveConfiguration', () => {
  it('reads the fields from their bits', () => {
    const word =
      8_000n |
      (8_250n << 16n) |
      (10_500n << 32n) |
      (18n << 48n) |
      (1n << 56n) |
      (1n << 57n) |
      (1n << 60n) |
      (3n << 168n);
    expect(decodeReserveConfiguration(word)).toEqual({
      ltvBps: 8_000n,
      liquidationThresholdBps: 8_250n,
      liquidationBonusBps: 10_500n,
      decimals: 18,
      isActive: true,
      isFrozen: true,
      isPaused: true,
      eModeCategory: 3,
    });
  });
});

describe('isBorrowing, isUsingAsCollateral', () => {
  it('read the pair of bits of one reserve and of no other', () => {
    fc.assert(
      fc.property(fc.nat(127), fc.nat(127), (id, other) => {
        expect(isBorrowing(1n << BigInt(2 * id), other)).toBe(id === other);
        expect(isUsingAsCollateral(1n << BigInt(2 * id + 1), other)).toBe(id === other);
        expect(isBorrowing(1n << BigInt(2 * id + 1), other)).toBe(false);
      }),
    );
  });
});
