import fc from 'fast-check';
import type { RiskPosition } from '../position/position';
import { filterHistory, historicalDrift, type DailyHistory } from './history/filtered-history';
import { simulateHistorical } from './history/historical';

const DAYS = 365;

/** A year of waves on a trend of the log price per day. */
function historyWith(trend: number): DailyHistory {
  const close = Array.from({ length: DAYS + 1 }, (_, day) =>
    Math.exp(trend * day + 0.08 * Math.sin(day * day * 0.37) + 0.05 * Math.cos(day * 1.7)),
  );
  const still = close.map(() => 1);
  return {
    assets: ['WETH', 'USDC'],
    close: [close, still],
    low: [close.map((price) => price * 0.98), still],
    high: [close.map((price) => price * 1.02), still],
  };
}

const position: RiskPosition = {
  collateral: [{ asset: 'WETH', amount: 1.225, priceUsd: 1, liquidationThreshold: 1, liquidationBonus: 0 }],
  debt: [{ asset: 'USDC', amount: 1, priceUsd: 1 }],
};
const options = { horizonDays: 30, paths: 4_096, seed: 3 };
const monthly = (rate: number): number => Math.log(1 + rate) / 30;

const forecast = (history: DailyHistory, annualDrift: readonly number[] = []) =>
  simulateHistorical(position, filterHistory(history, { annualDrift }), options);

describe('drift of the filtered historical simulation', () => {
  it('a past rise of 7 % a month moves neither the median nor the probability', () => {
    const flat = forecast(historyWith(0));
    const risen = forecast(historyWith(monthly(0.07)));
    expect(risen.percentiles!.p50).toBeCloseTo(1.225, 2);
    expect(Math.abs(risen.liquidationProbability - flat.liquidationProbability)).toBeLessThan(
      3 * (risen.standardError + flat.standardError),
    );
  });

  it('is the requested one, by which the median grows', () => {
    fc.assert(
      fc.property(fc.double({ min: -2, max: 2, noNaN: true }), (drift) => {
        const { percentiles } = forecast(historyWith(0), [drift, 0]);
        expect(percentiles!.p50 / (1.225 * Math.exp((drift * 30) / 365))).toBeCloseTo(1, 2);
      }),
      { numRuns: 10 },
    );
  });

  it('of the past is the mean daily change of the log price, a year', () => {
    const history = historyWith(monthly(0.07));
    const [weth, usdc] = historicalDrift(history);
    const close = history.close[0]!;
    expect(weth).toBeCloseTo(Math.log(close[DAYS]! / close[0]!), 10);
    expect(usdc).toBe(0);
    expect(forecast(history, [weth!, 0]).liquidationProbability).toBeLessThan(
      forecast(history).liquidationProbability,
    );
  });
});
