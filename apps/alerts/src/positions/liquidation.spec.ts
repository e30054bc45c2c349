import { samplePosition, sampleWallet } from '@plimsoll/testing';
import type { Holdings } from './holdings';
import { liquidationIn } from './liquidation';
import { type PositionState, positionState } from './position-state';

const state = (
  healthFactor: number | null,
  collateral: number,
  debt: number,
  price = 2_000,
): PositionState => {
  const holdings: Holdings = {
    prices: { ...(collateral > 0 && { WETH: price }), ...(debt > 0 && { USDC: 1 }) },
    collateral: collateral > 0 ? { WETH: collateral } : {},
    debt: debt > 0 ? { USDC: debt } : {},
  };
  return { ...positionState(samplePosition(sampleWallet(1), 1, 'high', { healthFactor })), holdings };
};

describe('liquidationIn', () => {
  it('is debt repaid and collateral seized while the position was liquidatable', () => {
    expect(liquidationIn(state(0.97, 10, 16_000), state(1.1, 5, 8_000))).toContain('$8000.00 of debt');
  });

  it('detects that prices of the same block made it possible', () => {
    expect(liquidationIn(state(1.05, 10, 16_000), state(1.1, 5, 7_000, 1_700))).not.toBeNull();
    expect(liquidationIn(state(1.05, 10, 16_000), state(1.1, 5, 7_000, 1_990))).toBeNull();
  });

  it('detects one that left nothing', () => {
    expect(liquidationIn(state(0.9, 10, 16_000), state(null, 0, 0))).toContain('$20000.00 of collateral');
  });

  it.each([
    ['a repayment alone', state(0.97, 10, 8_000)],
    ['a withdrawal alone', state(0.97, 8, 16_000)],
    ['interest', state(0.97, 10.001, 16_001)],
  ])('is not %s', (_, after) => expect(liquidationIn(state(0.97, 10, 16_000), after)).toBeNull());

  it('is not the owner who winds down a healthy position', () => {
    expect(liquidationIn(state(1.8, 10, 10_000), state(2, 5, 4_500))).toBeNull();
  });
});
