import { healthBar, healthText } from './health';
import { rangePlot } from './range-plot';
import { painter } from './style';
import { table } from './table';
import { percent, printable, toJson, usd } from './text';

describe('printable', () => {
  it('replaces what a terminal obeys, what turns text around, and what is invisible', () => {
    expect(printable('a\u001b[2Jb\u009b1mc\nd\u202ee\u{e0041}f')).toBe('a�[2Jb�1mc�d�e�f');
    expect(printable('Tresor – 金库 👍')).toBe('Tresor – 金库 👍');
  });
});

describe('toJson', () => {
  it('writes exact amounts as digits, and escapes what a terminal obeys without a change of the value', () => {
    const value = { amountRaw: 10n ** 30n, label: 'a\u009b\u202e\u{e0041}\n' };
    const text = toJson(value, 2);
    expect(printable(text.replaceAll('\n', ''))).toBe(text.replaceAll('\n', ''));
    expect(JSON.parse(text)).toEqual({ ...value, amountRaw: `1${'0'.repeat(30)}` });
  });
});

describe('healthBar', () => {
  it.each([
    [null, 10, 'no debt'],
    [0.97, 0, '0.9700'],
    [1, 0, '1.0000'],
    [1.5, 5, '1.50'],
    [2, 10, '2.00'],
    [5_000, 10, '> 1000'],
  ])('of %p has %p filled cells and says %p', (healthFactor, filled, text) => {
    expect(healthBar(healthFactor)).toBe('█'.repeat(filled) + '░'.repeat(10 - filled));
    expect(healthText(healthFactor)).toBe(text);
  });
});

describe('table', () => {
  it('aligns columns, and keeps the alignment with colours', () => {
    const columns = [{ title: 'name' }, { title: 'n', align: 'right' as const }];
    const rows = [
      [{ text: 'one', style: 'red' as const }, 1],
      ['a longer one', null],
    ];
    expect(table(columns, rows, painter(false))).toBe('name          n\none           1\na longer one  –');
    expect(table(columns, rows, painter(true)).split('\n')[1]).toBe('\u001b[31mone\u001b[39m           1');
  });

  it('has one line for each row, whatever the text', () => {
    expect(table([{ title: 'a' }], [['x\ny\u001b[2J']], painter(false))).toBe('a\nx�y�[2J');
  });
});

describe('rangePlot', () => {
  it('draws every range over one axis with the line of liquidation', () => {
    const plot = rangePlot([
      { label: '7 d', low: 0.95, middle: 1.2, high: 1.6 },
      { label: '30 d', low: 1.3, middle: 1.9, high: 9 },
    ]).split('\n');
    expect(plot[0]).toMatch(/^ 7 d +├┼─+●─+┤$/);
    expect(plot[1]).toMatch(/^30 d +│ +├─+●─+→$/);
    expect(plot[2]).toMatch(/1 .*4\.00$/);
    expect(plot[0]!.indexOf('┼')).toBe(plot[1]!.indexOf('│'));
    expect(plot[2]![plot[1]!.indexOf('│')]).toBe('1');
  });

  it('draws a position without debt at the end of the axis', () => {
    expect(rangePlot([{ label: '1 d', low: null, middle: null, high: null }])).toContain('●');
  });
});

describe('figures', () => {
  it('have the digits that matter', () => {
    expect([usd(1_234_567.8), usd(12.345), percent(0.123), percent(0.00012)]).toEqual([
      '1,234,568',
      '12.35',
      '12.3 %',
      '0.012 %',
    ]);
  });
});
