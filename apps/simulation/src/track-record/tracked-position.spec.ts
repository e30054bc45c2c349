import { healthFactor } from '@plimsoll/risk-math';
import { positionState } from '../../test/track-record-fixture';
import { estimatedPosition, hasDebt, healthFactorBand, mainCollateral, rankOf } from './tracked-position';

const position = positionState('any', 1, { blockTimeMs: 0 });

describe('a tracked position', () => {
  it('has the health factor of the log', () => {
    expect(healthFactor(estimatedPosition(position))).toBeCloseTo(1.546875, 12);
  });

  it('has the price symbol of its most valuable collateral', () => {
    const [weth, usdc] = position.legs;
    expect(mainCollateral(position)).toBe('ETH');
    const small = { ...weth!, asset: 'WBTC', usdValue: 1 };
    expect(mainCollateral({ ...position, legs: [small, weth!, usdc!] })).toBe('ETH');
    const off = { ...weth!, usedAsCollateral: false };
    expect(mainCollateral({ ...position, legs: [small, off, usdc!] })).toBe('BTC');
    expect(mainCollateral({ ...position, legs: [usdc!] })).toBeNull();
  });

  it('is forecast while it has a debt with a price', () => {
    expect(hasDebt(position)).toBe(true);
    expect(hasDebt(positionState('any', 1, { debtUsd: 0, blockTimeMs: 0 }))).toBe(false);
    expect(hasDebt(positionState('any', 1, { closed: true, blockTimeMs: 0 }))).toBe(false);
    expect(hasDebt({ ...position, totalDebtUsd: 0 })).toBe(false);
  });

  it('is grouped by its health factor', () => {
    expect([1, 1.0999, 1.1, 1.25, 1.5].map(healthFactorBand)).toEqual([
      'critical',
      'critical',
      'high',
      'moderate',
      'low',
    ]);
  });

  it('has a rank of an even distribution', () => {
    const ranks = Array.from({ length: 2_000 }, (_, i) => rankOf(`pos_${i}`) / 2 ** 32);
    expect(ranks.filter((rank) => rank < 0.25).length / 2_000).toBeCloseTo(0.25, 1);
    expect(rankOf('pos_1')).toBe(rankOf('pos_1'));
  });
});
