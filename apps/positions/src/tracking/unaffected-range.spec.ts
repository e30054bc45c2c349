import { BANDS, BAND_EDGES_PERCENT, bandOfFigures } from '@plimsoll/contracts';
import fc from 'fast-check';
import { bandOf } from '../bands/band';
import { unaffectedRange } from './unaffected-positions';

const WAD = 10n ** 18n;
const atEdge = fc
  .tuple(
    fc.constantFrom(...BAND_EDGES_PERCENT.flatMap(({ edge }) => [edge, edge + 2])),
    fc.integer({ min: -99, max: 99 }),
  )
  .map(([percent, parts]) => (BigInt(percent) * WAD * (1_000_000n + BigInt(parts))) / 100_000_000n);
const healthFactor = fc.oneof(fc.bigInt(WAD / 1_000n, 5n * WAD), atEdge);

describe('quietRange', () => {
  it('contains, except for rounding at its ends, no health factor that differs by a basis point or has another band or level', () => {
    fc.assert(
      fc.property(
        healthFactor,
        fc.option(fc.constantFrom(...BANDS)),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (published, previous, share) => {
          const band = bandOf(published, previous);
          const { low, high } = unaffectedRange(published);
          expect(low <= high).toBe(true);
          const inside = low * (1 + 1e-9) + share * (high * (1 - 1e-9) - low * (1 + 1e-9));
          if (!(inside > low && inside < high)) return;
          const raw = BigInt(Math.round(inside * 1e15)) * 1_000n;
          expect(bandOf(raw, band)).toBe(band);
          expect(bandOfFigures(raw, null)).toBe(bandOfFigures(published, null));
          const distance = raw > published ? raw - published : published - raw;
          expect(distance * 10_000n < published).toBe(true);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it.each(BAND_EDGES_PERCENT.flatMap(({ edge }) => [edge, edge + 2]))(
    'is only that point at %d percent, an edge of a band',
    (percent) => {
      const { low, high } = unaffectedRange((BigInt(percent) * WAD) / 100n);
      expect([low, high]).toEqual([percent / 100, percent / 100]);
    },
  );

  it('is as wide as a basis point if no edge is near', () => {
    const { low, high } = unaffectedRange(2n * WAD);
    expect([low, high]).toEqual([expect.closeTo(1.9998, 12), expect.closeTo(2.0002, 12)]);
  });
});
