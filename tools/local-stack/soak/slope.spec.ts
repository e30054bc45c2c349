import fc from 'fast-check';
import { parseDuration } from './duration';
import { slopeOf } from './slope';

describe('slopeOf', () => {
  it('finds the slope of a line exactly', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.integer({ min: 3, max: 500 }),
        (perHour, n) => {
          const samples = Array.from({ length: n }, (_, i) => ({
            hours: i / 60,
            value: 100 + (perHour * i) / 60,
          }));
          const slope = slopeOf(samples);
          expect(slope.perHour).toBeCloseTo(perHour, 6);
          expect(slope.margin).toBeLessThan(1e-6);
        },
      ),
    );
  });

  it('has an interval that contains 0 for a sawtooth without growth', () => {
    const samples = Array.from({ length: 240 }, (_, i) => ({ hours: i / 120, value: 100 + (i % 17) }));
    const { perHour, margin } = slopeOf(samples);
    expect(Math.abs(perHour)).toBeLessThanOrEqual(margin);
  });

  it('has an interval that excludes 0 for growth below noise', () => {
    const samples = Array.from({ length: 240 }, (_, i) => ({
      hours: i / 120,
      value: 100 + i / 12 + ((i * 7) % 5),
    }));
    const { perHour, margin } = slopeOf(samples);
    expect(perHour).toBeCloseTo(10, 0);
    expect(perHour - margin).toBeGreaterThan(8);
  });

  it('states no interval for too few samples', () => {
    expect(slopeOf([]).margin).toBe(Infinity);
    expect(slopeOf([{ hours: 0, value: 1 }]).margin).toBe(Infinity);
    expect(
      slopeOf([
        { hours: 0, value: 1 },
        { hours: 1, value: 2 },
      ]),
    ).toEqual({ perHour: 1, margin: Infinity });
  });
});

describe('parseDuration', () => {
  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['8h', 28_800_000],
    ['0h', undefined],
    ['1d', undefined],
    ['h', undefined],
  ])('%s is %p', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});
