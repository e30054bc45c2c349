import { liquidationBonus } from './liquidation-bonus';

describe('liquidationBonus', () => {
  it('is Morpho’s own formula of the threshold, at most 15 %', () => {
    expect(liquidationBonus('morpho-blue', 'ETH', 0.86)).toBeCloseTo(1 / (0.3 * 0.86 + 0.7) - 1, 12);
    expect(liquidationBonus('morpho-blue', 'ETH', 0.385)).toBeCloseTo(0.15, 12);
  });

  it("is the protocol's value for the class of the asset elsewhere", () => {
    expect(liquidationBonus('aave-v3', 'ETH', 0.825)).toBe(0.05);
    expect(liquidationBonus('aave-v3', 'UNKNOWN', 0.5)).toBe(0.1);
    expect(liquidationBonus('venus', 'ETH', 0.8)).toBe(0.1);
  });

  it('is never more than the remainder above the threshold, so that a seizure at HF 1 needs no more than the collateral', () => {
    for (const threshold of [0.9, 0.95, 0.98, 1]) {
      const bonus = liquidationBonus('aave-v3', 'UNKNOWN', threshold);
      expect(threshold * (1 + bonus)).toBeLessThanOrEqual(1 + 1e-12);
      expect(bonus).toBeGreaterThanOrEqual(0);
    }
  });
});
