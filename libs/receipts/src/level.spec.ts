import { bandOfFigures } from '@plimsoll/contracts';
import fc from 'fast-check';
import { levelOf } from './level';

const EDGES = [100n, 110n, 125n, 150n].map((percent) => percent * 10n ** 16n);
const near = fc
  .constantFrom(...EDGES)
  .chain((edge) => fc.integer({ min: -2, max: 2 }).map((by) => edge + BigInt(by)));
const healthFactor = fc.option(fc.oneof(near, fc.bigInt({ min: 0n, max: 10n ** 19n })));
const probability = fc.option(
  fc.oneof(
    fc.constantFrom(0, 0.02, 0.1, 0.35, 1, 0.1 - 2 ** -56, 0.35 - 2 ** -54, 0.02 - 2 ** -58),
    fc.double({ min: 0, max: 1, noNaN: true }),
  ),
);

describe('levelOf', () => {
  it('is the level of the service', () => {
    fc.assert(
      fc.property(healthFactor, probability, (factor, chance) => {
        const wad = chance === null ? null : BigInt(Math.round(chance * 1e18));
        expect(levelOf(factor, wad)).toBe(bandOfFigures(factor, chance));
      }),
      { numRuns: 5_000 },
    );
  });
});
