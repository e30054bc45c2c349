import { STRESSES } from './stress';

const change = (id: string, asset: string): number =>
  STRESSES.get(id)!.changePercent({ asset, isCollateral: true, isDebt: false });

describe('historical scenarios', () => {
  it('have closing falls, the same for staked and wrapped assets as for their underlying', () => {
    expect(change('march_2020', 'ETH')).toBe(-54.6);
    expect(change('march_2020', 'WSTETH')).toBe(-54.6);
    expect(change('march_2020', 'CBBTC')).toBe(-46);
    expect(change('march_2020', 'MATIC')).toBe(change('march_2020', 'POL'));
  });

  it('use 1.3 times ETH for assets without a figure, at most −95', () => {
    expect(change('ftx_2022', 'AAVE')).toBeCloseTo(1.3 * change('ftx_2022', 'ETH'), 12);
    const falls = [...STRESSES.keys()].map((id) => change(id, 'UNKNOWN'));
    expect(Math.min(...falls)).toBeGreaterThanOrEqual(-95);
  });

  it('keep stable coins at their price, except measured ones', () => {
    expect(change('ftx_2022', 'USDC')).toBe(0);
    expect(change('usdc_depeg_2023', 'USDC')).toBeLessThan(-1);
  });
});
