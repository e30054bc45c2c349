import type { PositionV1 } from '@plimsoll/contracts';
import { samplePosition, sampleWallet } from '@plimsoll/testing';
import { debtsOf, isLiquidatableAtShock } from './stressed-debt';

type Leg = PositionV1['legs'][number];
const leg = (asset: string, side: Leg['side'], usdValue: number): Leg => ({
  asset,
  side,
  usdValue,
  address: sampleWallet(1),
  amountRaw: '1',
  scaledRaw: '1',
  decimals: 18,
  priceRaw: '1',
  priceDecimals: 8,
  oracle: sampleWallet(2),
  liquidationThresholdBps: side === 'debt' ? 0 : 8_000,
  usedAsCollateral: side === 'collateral',
  amount: 1,
});
const position = (healthFactor: number | null, legs: Leg[]): PositionV1 => ({
  ...samplePosition(sampleWallet(3), 1, 'moderate'),
  healthFactor,
  legs,
});

describe('isLiquidatableAtShock', () => {
  it.each([
    ['ether against dollars at 1.24', 1.24, 'WETH', 'USDC', true],
    ['ether against dollars at 1.26', 1.26, 'WETH', 'USDC', false],
    ['ether against ether: both sides fall', 1.02, 'wstETH', 'WETH', false],
    ['dollars against dollars: neither falls', 1.02, 'USDC', 'DAI', false],
    ['dollars against ether: the debt falls', 0.9, 'USDC', 'WETH', false],
  ])('%s', (_case, healthFactor, collateral, debt, expected) => {
    const legs = [leg(collateral, 'collateral', 1_000), leg(debt, 'debt', 500)];
    expect(isLiquidatableAtShock(position(healthFactor, legs))).toBe(expected);
  });

  it('not without debt', () => {
    expect(isLiquidatableAtShock(position(null, [leg('WETH', 'collateral', 1_000)]))).toBe(false);
  });
});

describe('debtsOf', () => {
  it('are the debts with their assets', () => {
    const legs = [leg('WETH', 'collateral', 1_000), leg('USDC', 'debt', 500), leg('DAI', 'debt', 100)];
    expect(debtsOf(position(1.6, legs))).toEqual({ assets: ['USDC', 'DAI'], usds: [500, 100] });
  });
});
