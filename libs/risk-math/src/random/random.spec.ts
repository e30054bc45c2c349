import { normalInverse } from '../statistics/normal';
import { fillNormalsFromWords } from './fast-normal';
import { randomBits } from './random';
import { ScrambledSobol } from './scrambled-sobol';
import { SOBOL_BITS, SOBOL_DIMENSIONS, sobolDirections } from './sobol-directions';

/** Points 1 to 4 of dimensions 1 to 6 of the plain sequence, from scipy's qmc.Sobol(6, scramble=False). */
const PLAIN = [
  [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
  [0.75, 0.25, 0.25, 0.25, 0.75, 0.75],
  [0.25, 0.75, 0.75, 0.75, 0.25, 0.25],
  [0.375, 0.375, 0.625, 0.875, 0.375, 0.125],
];

describe('sobolDirections', () => {
  it('generate the plain sequence', () => {
    const directions = sobolDirections();
    const state = [0, 0, 0, 0, 0, 0];
    const points = [0, 1, 0, 2].map((bit) =>
      state.map((_, d) => {
        state[d] = (state[d]! ^ directions[d * SOBOL_BITS + bit]!) >>> 0;
        return state[d]! / 2 ** 32;
      }),
    );
    expect(points).toEqual(PLAIN);
  });

  it('have a full triangle in every dimension', () => {
    const isInTriangle = (word: number, i: number): boolean =>
      word % 2 ** (SOBOL_BITS - (i % SOBOL_BITS)) === 2 ** (SOBOL_BITS - 1 - (i % SOBOL_BITS));
    expect(sobolDirections()).toHaveLength(SOBOL_DIMENSIONS * SOBOL_BITS);
    expect(sobolDirections().every(isInTriangle)).toBe(true);
  });
});

describe('ScrambledSobol', () => {
  it.each([0, 1, 89, SOBOL_DIMENSIONS - 1])(
    'dimension %i has one point in each of 1,024 cells',
    (dimension) => {
      const sobol = new ScrambledSobol(SOBOL_DIMENSIONS, 1_024, 128, 5);
      const out = new Float64Array(128);
      const cells = new Set<number>();
      for (let block = 0; block < 8; block += 1) {
        sobol.nextBlock(128);
        sobol.fillUniforms(dimension, out);
        out.forEach((u) => cells.add(Math.floor(u * 1_024)));
      }
      expect(cells.size).toBe(1_024);
    },
  );

  it('has another set for another seed, and pseudo-random normals past its table', () => {
    const [a, b] = [1, 2].map((seed) => {
      const sobol = new ScrambledSobol(SOBOL_DIMENSIONS + 1, 64, 64, seed);
      sobol.nextBlock(64);
      const [first, last] = [new Float64Array(64), new Float64Array(64)];
      sobol.fillNormals(0, first);
      sobol.fillNormals(SOBOL_DIMENSIONS, last);
      return { first, last };
    });
    expect(a!.first).not.toEqual(b!.first);
    expect(Math.abs(a!.last.reduce((sum, z) => sum + z, 0) / 64)).toBeLessThan(0.5);
    expect(() => new ScrambledSobol(1, 8, 8, 1).fillNormals(1, new Float64Array(8))).toThrow(RangeError);
  });
});

describe('fillNormalsFromWords', () => {
  it('is the inverse distribution function to 1e-8', () => {
    const random = randomBits(3);
    const edges = [0, 1, 2 ** 22 - 1, 2 ** 22, 2 ** 27 - 1, 2 ** 27, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
    const words = Uint32Array.from([...edges, ...Array.from({ length: 100_000 }, random)]);
    const out = new Float64Array(words.length);
    fillNormalsFromWords(words, out, words.length);
    const worst = words.reduce(
      (most, word, i) => Math.max(most, Math.abs(out[i]! - normalInverse((word + 0.5) * 2 ** -32))),
      0,
    );
    expect(worst).toBeLessThan(1e-8);
  });
});
