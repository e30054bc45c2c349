import { needsOperator, relativeDifference } from './mismatch';

const WAD = 10n ** 18n;

describe('relativeDifference', () => {
  it.each([
    [WAD, WAD, 0],
    [null, null, 0],
    [WAD + 2n * 10n ** 12n, WAD, 2e-6],
    [WAD - 5n * 10n ** 11n, WAD, 5e-7],
    [1n, 0n, Infinity],
    [null, WAD, Infinity],
    [WAD, null, Infinity],
    [3n * 2n ** 255n, 2n ** 255n, 2],
  ])('of %s from %s is %d', (computed, contract, expected) => {
    expect(relativeDifference({ computed, contract })).toBeCloseTo(expected, 15);
  });
});

describe('needsOperator', () => {
  it('is true only above one millionth of the contract’s figure', () => {
    const figure = 'healthFactor' as const;
    const at = (parts: bigint): boolean => needsOperator({ figure, computed: WAD + parts, contract: WAD });
    expect([at(10n ** 12n), at(10n ** 12n + 1n)]).toEqual([false, true]);
    expect(needsOperator({ figure, computed: null, contract: WAD })).toBe(true);
  });

  it('is true for any difference where the contract states the opposite about a liquidation', () => {
    const [computed, contract] = [WAD, WAD - 1n];
    expect(needsOperator({ figure: 'healthFactor', computed, contract })).toBe(true);
    expect(needsOperator({ figure: 'totalDebt', computed, contract })).toBe(false);
  });
});
