import { Problem } from '@plimsoll/contracts';
import { type RiskPosition, healthFactor, positionTotals } from '@plimsoll/risk-math';
import { changedPosition } from './changed-position';

const POSITION: RiskPosition = {
  collateral: [
    { asset: 'ETH', amount: 5, priceUsd: 100, liquidationThreshold: 0, liquidationBonus: 0 },
    { asset: 'ETH', amount: 10, priceUsd: 100, liquidationThreshold: 0.8, liquidationBonus: 0 },
  ],
  debt: [
    { asset: 'USDC', amount: 300, priceUsd: 1 },
    { asset: 'USDC', amount: 100, priceUsd: 1 },
  ],
};
const codes = (changes: Parameters<typeof changedPosition>[1]): (string | undefined)[] => {
  try {
    changedPosition(POSITION, changes);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return (error.options.errors ?? []).map(({ field, code }) => `${field} ${code}`);
  }
};

describe('changedPosition', () => {
  it('adds to the leg that secures debt and removes from all legs in turn', () => {
    expect(healthFactor(POSITION)).toBe(2);
    const added = changedPosition(POSITION, [{ asset: 'weth', side: 'collateral', usd: 500 }]);
    expect(healthFactor(added)).toBe(3);
    const repaid = changedPosition(POSITION, [{ asset: 'USDC', side: 'debt', usd: -350 }]);
    expect(positionTotals(repaid).totalDebtUsd).toBeCloseTo(50, 12);
    expect(repaid.debt).toHaveLength(1);
    expect(POSITION.debt).toHaveLength(2);
  });

  it('removes a debt leg that is repaid in full despite rounding', () => {
    const third = { ...POSITION, debt: [{ asset: 'USDC', amount: 1 / 3, priceUsd: 0.9997 }] };
    const usd = -positionTotals(third).totalDebtUsd;
    expect(changedPosition(third, [{ asset: 'USDC', side: 'debt', usd }]).debt).toEqual([]);
  });

  it('rejects an asset that the position lacks and an amount above the existing one', () => {
    expect(codes([{ asset: 'LINK', side: 'collateral', usd: 1 }])).toEqual(['changes[0] not_held']);
    expect(
      codes([
        { asset: 'ETH', side: 'debt', usd: 1 },
        { asset: 'USDC', side: 'debt', usd: -401 },
      ]),
    ).toEqual(['changes[0] not_held', 'changes[1] too_much']);
  });
});
