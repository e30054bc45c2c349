import type { PriceHistoryV1 } from '@plimsoll/contracts';
import { PriceHistories } from './price-histories';

const DAY_MS = 86_400_000;
const day = (text: string, plus: number): string =>
  new Date(Date.parse(text) + plus * DAY_MS).toISOString().slice(0, 10);

function history(asset: string, prices: (number | null)[], firstDay: string, version = 1): PriceHistoryV1 {
  return {
    asset,
    version,
    historySource: asset === 'ETH' ? 'coingecko' : 'chainlink',
    firstDay,
    lastDay: day(firstDay, prices.length - 1),
    open: prices,
    high: prices,
    low: prices,
    close: prices,
    corrections: [],
    updatedAt: '2026-11-21T00:05:00.000Z',
  };
}

const count = (from: number, days: number): number[] => Array.from({ length: days }, (_, i) => from + i);

describe('PriceHistories', () => {
  it('returns the days that all assets have, of at most a year', () => {
    const histories = new PriceHistories();
    histories.apply('ETH', history('ETH', count(1, 500), '2025-01-01'));
    histories.apply('LINK', history('LINK', count(1_001, 100), day('2025-01-01', 350)));
    const { history: rows, historySource, historyWindow } = histories.of(['ETH', 'LINK']);
    expect(rows.close.map((row) => [row.length, row[0], row[row.length - 1]])).toEqual([
      [100, 351, 450],
      [100, 1_001, 1_100],
    ]);
    expect(historySource).toEqual(['coingecko', 'chainlink']);
    expect(historyWindow).toEqual({ from: day('2025-01-01', 350), to: day('2025-01-01', 449), days: 99 });
    expect(histories.of(['ETH']).historyWindow.days).toBe(365);
  });

  it('begins after the last gap', () => {
    const histories = new PriceHistories();
    histories.apply('ETH', history('ETH', [...count(1, 40), null, ...count(42, 60)], '2025-01-01'));
    expect(histories.of(['ETH']).history.close[0]![0]).toBe(42);
  });

  it('names the assets with too few days, and none with enough', () => {
    const histories = new PriceHistories();
    histories.apply('ETH', history('ETH', count(1, 100), '2025-01-01'));
    histories.apply('LINK', history('LINK', count(1, 31), '2025-01-01'));
    histories.apply('UNI', history('UNI', count(1, 30), '2025-01-01'));
    expect(histories.of(['LINK']).historyWindow.days).toBe(30);
    expect(() => histories.of(['ETH', 'UNI', 'AAVE'])).toThrow('of UNI, AAVE is not available');
  });

  it('names both when they have no common days', () => {
    const histories = new PriceHistories();
    histories.apply('ETH', history('ETH', count(1, 40), '2025-01-01'));
    histories.apply('LINK', history('LINK', count(1, 40), '2026-01-01'));
    expect(() => histories.of(['ETH', 'LINK'])).toThrow('of ETH, LINK is not available');
  });

  it('keeps the newest version, and forgets an asset that is withdrawn', () => {
    const histories = new PriceHistories();
    histories.apply('ETH', history('ETH', count(2, 40), '2025-01-01', 2));
    histories.apply('ETH', history('ETH', count(1, 40), '2025-01-01', 1));
    expect(histories.of(['ETH']).history.close[0]![0]).toBe(2);
    histories.apply('ETH', null);
    expect(() => histories.of(['ETH'])).toThrow('ETH');
  });
});
