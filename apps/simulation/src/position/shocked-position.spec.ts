import { healthFactor } from '@plimsoll/risk-math';
import { riskPosition } from '@plimsoll/risk-position';
import { samplePosition } from '../../test/samples';
import { lossTerms } from '../losses/loss-terms';
import { exactHealthFactor } from './exact-health';
import { shockedPosition } from './shocked-position';

const mixed = samplePosition(
  'mixed',
  { WETH: 1.2345, WBTC: 0.054321, LINK: 111.1 },
  { USDC: 5_000, DAI: 111 },
);

describe('riskPosition', () => {
  it('has the health factor of the contract, which truncates its average threshold', () => {
    expect(healthFactor(riskPosition(mixed))).toBeCloseTo(mixed.healthFactor!, 13);
  });

  it('counts supplies that secure nothing in the value, and not as collateral', () => {
    const [first, ...rest] = mixed.collateralAssets;
    const idle = { ...mixed, collateralAssets: [{ ...first!, usedAsCollateral: false }, ...rest] };
    const { collateral } = riskPosition(idle);
    expect(collateral).toHaveLength(3);
    expect(collateral[0]!.liquidationThreshold).toBe(0);
  });
});

describe('exactHealthFactor', () => {
  it('is today’s to the last digit without a shock', () => {
    expect(exactHealthFactor(mixed, new Map())).toBe(BigInt(mixed.healthFactorRaw!));
  });

  it('null if the protocol computes differently, and without debt', () => {
    const other = { ...mixed, healthFactorRaw: String(BigInt(mixed.healthFactorRaw!) + 1n) };
    expect(exactHealthFactor(other, new Map())).toBeNull();
    expect(exactHealthFactor(samplePosition('free', { WETH: 1 }, {}), new Map())).toBeNull();
  });
});

describe('shockedPosition', () => {
  it('falls back to the sum over the legs, near the contract’s', () => {
    const factors = new Map([['ETH', 0.8]]);
    const exact = shockedPosition(mixed, riskPosition(mixed), factors);
    const other = { ...mixed, healthFactorRaw: String(BigInt(mixed.healthFactorRaw!) + 1n) };
    const summed = shockedPosition(other, riskPosition(other), factors);
    expect(summed.healthFactor).not.toBe(exact.healthFactor);
    expect(summed.healthFactor! / exact.healthFactor!).toBeCloseTo(1, 3);
    expect(summed.estimatedLoss).toBeCloseTo(1.2345 * 3_000 * 0.2, 8);
  });

  it('loses at most the equity, and the protocol bears the rest', () => {
    const position = samplePosition('deep', { WETH: 10 }, { USDC: 16_204 });
    const { risk } = lossTerms(riskPosition(position), 'aave-v3');
    const { estimatedLoss, lossSplit } = shockedPosition(position, risk, new Map([['ETH', 0.234]]));
    expect(estimatedLoss).toBeCloseTo(13_796, 6);
    expect(lossSplit).toMatchObject({ penaltyUsd: 0, slippageUsd: 0 });
    expect(lossSplit.badDebtUsd).toBeCloseTo(16_204 - 7_020 / 1.05, 4);
  });

  it('has a penalty exactly when the shown health factor is below 1', () => {
    const position = samplePosition('edge', { WETH: 10 }, { USDC: 16_000 });
    const { risk } = lossTerms(riskPosition(position), 'aave-v3');
    for (let factor = 0.6; factor < 0.7; factor += 0.0007) {
      const { healthFactor, lossSplit } = shockedPosition(position, risk, new Map([['ETH', factor]]));
      expect(lossSplit.penaltyUsd > 0).toBe(healthFactor! < 1);
    }
  });
});
