import type { Fact } from '../facts/fact';
import { formatFact } from './format';
import { listed, say } from './say';

const fact = (value: Fact['value'], unit: Fact['unit'], symbol?: string): Fact => ({
  id: `f.${unit}`,
  label: unit,
  value,
  unit,
  time: '2026-11-22T00:00:00.000Z',
  source: 'GET /v1/x',
  ...(symbol !== undefined && { symbol }),
});

describe('say', () => {
  it('writes figures as facts and cites each once', () => {
    const health = fact(1.23456, 'ratio');
    expect(say`It is ${health}, yes, ${health}, in ${'words'}.`).toEqual({
      text: 'It is 1.2346, yes, 1.2346, in words.',
      factIds: ['f.ratio'],
    });
  });

  it('lists phrases with their facts', () => {
    const parts = [fact(1, 'count'), fact(2, 'usd'), 'more'];
    expect(listed(parts)).toEqual({ text: '1, 2.00 USD and more', factIds: ['f.count', 'f.usd'] });
    expect(listed([])).toEqual({ text: '', factIds: [] });
  });
});

describe('formatFact', () => {
  it.each([
    [1_234.5, 'usd', '1,234.50 USD'],
    [0.000123456, 'usd', '0.0001235 USD'],
    [-20, 'percent', '-20.00 %'],
    [0.312, 'fraction', '31.20 %'],
    [1.0312, 'ratio', '1.0312'],
    [30, 'days', '30 days'],
    [6.53, 'days', '6.5 days'],
    [85.96, 'score', '86.0'],
    [49, 'score', '49'],
    [null, 'ratio', 'none'],
    ['aave-v3', 'id', 'aave-v3'],
  ] as const)('%s of unit %s is %s', (value, unit, text) => expect(formatFact(fact(value, unit))).toBe(text));

  it('an amount has its token', () => expect(formatFact(fact(12.5, 'token', 'WETH'))).toBe('12.5000 WETH'));
});
