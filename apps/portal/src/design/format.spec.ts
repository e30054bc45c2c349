import {
  formatAgo,
  formatAmount,
  formatChange,
  formatCount,
  formatDay,
  formatDuration,
  formatExact,
  formatHealthFactor,
  formatMs,
  formatPrice,
  formatProbability,
  formatShortUsd,
  formatUsd,
  formatUtc,
} from './format';

describe('formats', () => {
  it('group digits', () => {
    expect([0, 999, 1_240, 965_700_000].map(formatCount)).toEqual(['0', '999', '1,240', '965,700,000']);
  });

  it('state a duration in its largest unit', () => {
    expect([0, 59, 60, 3_599, 7_200, 86_400, 1_036_800].map(formatDuration)).toEqual([
      '0 s',
      '59 s',
      '1 min',
      '59 min',
      '2 h',
      '1 day',
      '12 days',
    ]);
  });

  it('state milliseconds with one decimal below ten', () => {
    expect([0.04, 3.24, 48.4, 1_204.2].map(formatMs)).toEqual(['0.0 ms', '3.2 ms', '48 ms', '1,204 ms']);
  });

  it('state a time beside now, in both directions', () => {
    const now = new Date('2026-11-27T12:00:00Z');
    const at = (seconds: number): string => formatAgo(new Date(now.getTime() + seconds * 1_000), now);
    expect([-130, -3, 2, 10_800].map(at)).toEqual(['2 min ago', 'just now', 'just now', 'in 3 h']);
  });

  it('state dollars with cents below a hundred, and short ones with a letter', () => {
    expect([0, 0.02, 18.5, 1_240.4, -61_000].map(formatUsd)).toEqual([
      '0',
      '0.02',
      '18.50',
      '1,240',
      '-61,000',
    ]);
    expect([940, 12_400, 965_700_000].map(formatShortUsd)).toEqual(['940', '12.4k', '965.7M']);
  });

  it('round a health factor down, with three decimals below 1.5', () => {
    expect(
      [0.9996, 0.999_999_999_99, 1, 1.009, 1.008_999, 1.4999, 1.5, 2.159, 1_204].map(formatHealthFactor),
    ).toEqual(['0.999', '0.999', '1.000', '1.009', '1.008', '1.499', '1.50', '2.15', '1,204.00']);
  });

  it('state amounts and prices with the digits that matter, and exact amounts with all', () => {
    expect([12.345_678_9, 61_000.23, 0.000_012_345_678].map(formatAmount)).toEqual([
      '12.3457',
      '61,000.2',
      '0.0000123457',
    ]);
    expect([2_534.1, 1, 0.999_871_2].map(formatPrice)).toEqual(['2,534.10', '1.00', '0.999871']);
    expect([
      formatExact(1_500_000n, 6),
      formatExact(7n, 18),
      formatExact(20n, 0),
      formatExact(3_000_000n, 6),
    ]).toEqual(['1.5', '0.000000000000000007', '20', '3']);
  });

  it('state a change with its sign', () => {
    expect([-9.14, 0.44, 0.04, -0.04].map(formatChange)).toEqual(['−9.1 %', '+0.4 %', '0.0 %', '0.0 %']);
  });

  it('state days and times of UTC', () => {
    expect(formatUtc(new Date('2026-11-27T12:48:43.120Z'))).toBe('2026-11-27 12:48:43 UTC');
    expect(formatDay('2026-11-27')).toBe('27 Nov');
  });

  it('state a probability with the error that covers 95 %', () => {
    expect([
      formatProbability(0.089, 0.002),
      formatProbability(0.0003, 0.00017),
      formatProbability(0, 0, 0.0029),
      formatProbability(0, 0, 0.00031),
      formatProbability(0, 0, 0.021),
      formatProbability(0.31),
      formatProbability(0),
    ]).toEqual([
      '8.9 % ± 0.4',
      '0.03 % ± 0.03',
      'below 0.29 %',
      'below 0.04 %',
      'below 2.1 %',
      '31.0 %',
      '0.0 %',
    ]);
  });
});
