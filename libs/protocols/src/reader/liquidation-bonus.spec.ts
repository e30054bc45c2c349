import { WAD } from '../fixed-point/math';
import { bonusField, bonusOfFactor, bonusOfShare } from './liquidation-bonus';

describe('the liquidation bonus in basis points', () => {
  it.each([
    [108n, 800n],
    [110n, 1_000n],
    [100n, 0n],
    [99n, 0n],
  ])('is %d hundredths less 1', (hundredths, bonus) => {
    expect(bonusOfFactor((hundredths * WAD) / 100n)).toBe(bonus);
  });

  it.each([
    [93n, 753n],
    [95n, 526n],
    [80n, 2_500n],
    [100n, 0n],
    [0n, 0n],
  ])('of a share of %d hundredths is what one unit of debt takes above itself', (hundredths, bonus) => {
    expect(bonusOfShare((hundredths * WAD) / 100n)).toBe(bonus);
  });

  it('is absent from a leg when there is none', () => {
    expect(bonusField(0n)).toEqual({});
    expect(bonusField(1n)).toEqual({ liquidationBonusBps: 1n });
  });
});
