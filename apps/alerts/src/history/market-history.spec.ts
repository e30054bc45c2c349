import { type HistoricState, marketHistory } from './market-history';

const state = (atMs: number, block: number): HistoricState => ({
  atMs,
  block,
  healthFactor: 2,
  collateralUsd: 100,
  debtUsd: 50,
  prices: {},
  symbols: ['WETH'],
  riskScore: null,
  liquidationProbability: null,
  closed: false,
});
const minute = (atMs: number, close: number) => ({
  asset: 'ETH',
  minute: 0,
  high: close,
  low: close,
  close,
  atMs,
});

describe('marketHistory', () => {
  it('combines each price with the last state of the position before it, and omits prices before the first state', () => {
    const history = [state(10, 1), state(20, 2), state(25, 3)];
    const minutes = [minute(5, 900), minute(10, 1_000), minute(19, 1_100), minute(30, 1_200)];
    expect(
      marketHistory(history, minutes).map(({ atMs, block, prices }) => [atMs, block, prices.ETH]),
    ).toEqual([
      [10, 1, 1_000],
      [19, 1, 1_100],
      [30, 3, 1_200],
    ]);
  });

  it('is empty without prices, or without a position', () => {
    expect(marketHistory([state(10, 1)], [])).toEqual([]);
    expect(marketHistory([], [minute(10, 1_000)])).toEqual([]);
  });
});
