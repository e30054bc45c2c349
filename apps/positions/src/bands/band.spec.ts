import { type Band, bandRank } from '@plimsoll/contracts';
import fc from 'fast-check';
import { bandOf } from './band';

const wad = (value: number): bigint => BigInt(Math.round(value * 1e9)) * 10n ** 9n;
const anyHealthFactor = fc.bigInt({ min: 0n, max: wad(3) });
const withDebt: readonly Band[] = ['low', 'moderate', 'high', 'critical', 'liquidatable'];
const anyBand = fc.constantFrom(...withDebt);

describe('bandOf without an earlier band', () => {
  it.each<[number, Band]>([
    [0, 'liquidatable'],
    [0.999999999, 'liquidatable'],
    [1, 'critical'],
    [1.099999999, 'critical'],
    [1.1, 'high'],
    [1.249999999, 'high'],
    [1.25, 'moderate'],
    [1.499999999, 'moderate'],
    [1.5, 'low'],
    [1e9, 'low'],
  ])('%d is %s', (healthFactor, band) => {
    expect(bandOf(wad(healthFactor), null)).toBe(band);
  });

  it('is none without debt, whatever the band before', () => {
    expect(bandOf(null, null)).toBe('none');
    expect(bandOf(null, 'liquidatable')).toBe('none');
  });
});

describe('bandOf with a band before', () => {
  it.each<[Band, number, Band]>([
    ['liquidatable', 1.02, 'liquidatable'],
    ['liquidatable', 1.020000001, 'critical'],
    ['critical', 1.12, 'critical'],
    ['critical', 1.120000001, 'high'],
    ['high', 1.27, 'high'],
    ['high', 1.270000001, 'moderate'],
    ['moderate', 1.52, 'moderate'],
    ['moderate', 1.520000001, 'low'],
    ['liquidatable', 1.26, 'high'],
    ['low', 1.499999999, 'moderate'],
    ['low', 0.5, 'liquidatable'],
    ['none', 1.51, 'low'],
  ])('from %s at %d it is %s', (previous, healthFactor, band) => {
    expect(bandOf(wad(healthFactor), previous)).toBe(band);
  });

  it('worsens immediately: it is never better than the level of the health factor itself', () => {
    fc.assert(
      fc.property(anyHealthFactor, anyBand, (healthFactor, previous) => {
        const band = bandOf(healthFactor, previous);
        expect(bandRank(band)).toBeGreaterThanOrEqual(bandRank(bandOf(healthFactor, null)));
      }),
    );
  });

  it('gets worse only when the health factor is below the edge of the level before', () => {
    fc.assert(
      fc.property(anyHealthFactor, anyBand, (healthFactor, previous) => {
        const isWorse = bandRank(bandOf(healthFactor, previous)) > bandRank(previous);
        expect(isWorse).toBe(bandRank(bandOf(healthFactor, null)) > bandRank(previous));
      }),
    );
  });

  it('does not change when it is evaluated again at the same health factor', () => {
    fc.assert(
      fc.property(anyHealthFactor, anyBand, (healthFactor, previous) => {
        const band = bandOf(healthFactor, previous);
        expect(bandOf(healthFactor, band)).toBe(band);
      }),
    );
  });

  it('does not change back and forth while the health factor moves by less than 0.02 around any value', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: wad(0.5), max: wad(2) }),
        fc.array(fc.bigInt({ min: 0n, max: wad(0.02) }), { maxLength: 20 }),
        anyBand,
        (base, steps, previous) => {
          let band = bandOf(base, previous);
          let changes = 0;
          for (const step of steps) {
            const next = bandOf(base + step, band);
            if (next !== band) changes += 1;
            band = next;
          }
          expect(changes).toBeLessThanOrEqual(2);
        },
      ),
    );
  });

  it('a higher health factor never gives a worse band', () => {
    fc.assert(
      fc.property(anyHealthFactor, anyHealthFactor, anyBand, (a, b, previous) => {
        const [lower, higher] = a < b ? [a, b] : [b, a];
        expect(bandRank(bandOf(higher, previous))).toBeLessThanOrEqual(bandRank(bandOf(lower, previous)));
      }),
    );
  });
});

describe('bandOf a correlated position', () => {
  it.each<[number, number, Band]>([
    [1.03, 0.001, 'low'],
    [1.03, 0.02, 'moderate'],
    [1.03, 0.1, 'high'],
    [1.6, 0.35, 'critical'],
    [0.999, 0, 'liquidatable'],
  ])('at a health factor of %d and a probability of %d is %s', (healthFactor, probability, band) => {
    expect(bandOf(wad(healthFactor), null, probability)).toBe(band);
  });

  it('leaves a level when the probability is a fifth below it', () => {
    expect(bandOf(wad(1.03), 'high', 0.09)).toBe('high');
    expect(bandOf(wad(1.03), 'high', 0.079)).toBe('moderate');
    expect(bandOf(wad(1.03), 'moderate', 0.017)).toBe('moderate');
    expect(bandOf(wad(1.03), 'moderate', 0.015)).toBe('low');
  });

  it('leaves liquidatable above 1.02, or when it is no longer critical', () => {
    expect(bandOf(wad(1.01), 'liquidatable', 0.5)).toBe('liquidatable');
    expect(bandOf(wad(1.021), 'liquidatable', 0.5)).toBe('critical');
    expect(bandOf(wad(1.01), 'liquidatable', 0.01)).toBe('low');
  });
});
