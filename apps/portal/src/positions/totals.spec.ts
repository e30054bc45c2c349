import { totalsOf } from './totals';

const position = (
  riskLevel: 'low' | 'high' | 'none',
  healthFactor: number | null,
  collateral: number,
  debt: number,
) => ({
  riskLevel,
  healthFactor,
  totalCollateralUsd: collateral,
  totalDebtUsd: debt,
  netWorthUsd: collateral - debt,
});

describe('the totals of positions', () => {
  it('count what liquidators can take from positions in danger only', () => {
    expect(
      totalsOf([
        position('low', 2, 8_000, 3_000),
        position('high', 1.2, 5_000, 3_500),
        position('high', 1.15, 900, 1_000),
        position('none', null, 70, 0),
      ]),
    ).toEqual({
      count: 4,
      inDanger: 2,
      atStakeUsd: 4_400,
      lowestHealthFactor: 1.15,
      debtUsd: 7_500,
      netWorthUsd: 6_470,
    });
  });

  it('have no health factor without debt', () => {
    expect(totalsOf([]).lowestHealthFactor).toBeNull();
  });
});
