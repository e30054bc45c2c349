import { cholesky, horizonCovariance } from '@plimsoll/risk-math';
import { covarianceOf } from './covariance';
import { localDynamics, syntheticHistory } from './synthetic-history';

const assets = ['ETH', 'BTC', 'LINK', 'USDC'].map((symbol) => ({
  symbol,
  dynamics: localDynamics(symbol, symbol === 'USDC'),
  priceUsd: symbol === 'USDC' ? 1 : 100,
}));
const closesOf = (): Map<string, (number | null)[]> =>
  new Map(
    [...syntheticHistory(assets, 366, '2026-11-20', 3)].map(([symbol, bars]) => [
      symbol,
      bars.map(({ close }) => close),
    ]),
  );

describe('covarianceOf', () => {
  it('is a covariance over the year, by the assets’ names, with its term structure', () => {
    const covariance = covarianceOf(closesOf())!;
    expect(covariance).toMatchObject({
      assets: ['BTC', 'ETH', 'LINK', 'USDC'],
      lambda: 0.97,
      persistence: 0.98,
      windowDays: 365,
      excluded: [],
    });
    expect(() => cholesky(covariance.today)).not.toThrow();
    const annual = (matrix: readonly (readonly number[])[], i: number) => Math.sqrt(matrix[i]![i]! * 365);
    expect(annual(covariance.longRun, 1)).toBeGreaterThan(0.4);
    expect(annual(covariance.longRun, 3)).toBeLessThan(0.05);
    const far = horizonCovariance(covariance.today, covariance.longRun, 3_650, covariance.persistence);
    expect(annual(far, 1) / annual(covariance.longRun, 1)).toBeCloseTo(1, 1);
  });

  it('omits days on which one asset has no close, for all assets', () => {
    const closes = closesOf();
    closes.get('ETH')![100] = null;
    expect(covarianceOf(closes)).toMatchObject({ windowDays: 363, excluded: [] });
  });

  it('omits assets with too many gaps or too short a history, and states the reason', () => {
    const closes = closesOf();
    closes.get('ETH')!.fill(null, 50, 100);
    closes.get('BTC')!.fill(null, 0, 200);
    expect(covarianceOf(closes)).toMatchObject({
      assets: ['LINK', 'USDC'],
      windowDays: 365,
      lastIndex: 365,
      excluded: [
        { asset: 'BTC', reason: 'too_short' },
        { asset: 'ETH', reason: 'gap_in_window' },
      ],
    });
  });

  it('ends with the last day that all assets have', () => {
    const closes = closesOf();
    closes.get('LINK')![365] = null;
    expect(covarianceOf(closes)).toMatchObject({ windowDays: 364, lastIndex: 364, excluded: [] });
  });

  it('uses a shorter period if no asset has a year, and nothing below a month', () => {
    const short = (days: number) => new Map([...closesOf()].map(([asset, row]) => [asset, row.slice(-days)]));
    expect(covarianceOf(short(61))?.windowDays).toBe(60);
    expect(covarianceOf(short(30))).toBeNull();
    expect(covarianceOf(new Map())).toBeNull();
  });
});
