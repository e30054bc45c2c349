import { levelRates } from './level-rates';

/** One asset from 2018-01-01 that loses 10 % once, on its fifth day, with a low of −20 %. */
const history = {
  asset: 'ONE',
  firstDay: 17_532,
  close: [100, 100, 100, 100, 90, 90, 90, 90],
  low: [100, 100, 100, 100, 80, 90, 90, 90],
  high: [100, 100, 100, 100, 100, 90, 90, 90],
};

describe('levelRates', () => {
  it('counts starts and health factors by the lowest low and close ahead', () => {
    const rates = levelRates([history], 2);
    const of = (name: string) => rates.find(({ level }) => level === name)!;
    // Six starts with two days ahead. The fall is ahead of two of them.
    expect(of('critical')).toMatchObject({ byLow: 2 / 6, byClose: 2 / 6, count: 60 });
    // 0.8 · HF < 1 for all of 1.10 to 1.25, 0.9 · HF < 1 only for 1.105.
    expect(of('high').byLow).toBeCloseTo(2 / 6, 12);
    expect(of('high').byClose).toBeCloseTo((2 / 6) * (1 / 15), 12);
    expect(of('moderate')).toMatchObject({ byLow: 0, byClose: 0 });
    expect(of('low')).toMatchObject({ byLow: 0, byClose: 0 });
  });

  it('counts no start before 2018', () => {
    const early = { ...history, firstDay: 17_532 - 6 };
    expect(levelRates([early], 1).every(({ count }) => count % 1 === 0)).toBe(true);
    expect(levelRates([early], 1).find(({ level }) => level === 'critical')!.count).toBe(10);
  });
});
