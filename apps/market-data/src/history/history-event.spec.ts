import { EVENTS } from '@plimsoll/contracts';
import { freshBars, historyEvent } from './history-event';

const bar = (day: string, close: number) => ({ day, open: 10, high: 20, low: 5, close });

describe('freshBars', () => {
  it('are the new and the corrected bars', () => {
    const known = [bar('2026-11-18', 11), bar('2026-11-19', 12)];
    const read = [bar('2026-11-18', 11.000001), bar('2026-11-19', 12.5), bar('2026-11-20', 13)];
    expect(freshBars(known, read).map(({ day }) => day)).toEqual(['2026-11-19', '2026-11-20']);
  });
});

describe('historyEvent', () => {
  it('has an element for every day, null for a gap, and fits its schema', () => {
    const history = {
      asset: 'ETH',
      version: 3,
      historySource: 'coingecko' as const,
      firstDay: '2026-11-17',
      lastDay: '2026-11-20',
      updatedAt: new Date(0),
    };
    const event = historyEvent(
      history,
      [bar('2026-11-17', 11), bar('2026-11-19', 12)],
      [{ day: '2026-11-19', version: 3 }],
    );
    expect(event.close).toEqual([11, null, 12, null]);
    expect(event.open).toEqual([10, null, 10, null]);
    expect(EVENTS['price-history.v1'].explain(event)).toBe('');
  });
});
