import { fillNormalsFromWords } from './fast-normal';
import { randomBits, type RandomBits } from './random';
import { SOBOL_BITS, SOBOL_DIMENSIONS, sobolDirections } from './sobol-directions';

const UNIT = 2 ** -32;

/** Columns of a random lower-triangular binary matrix with ones on its diagonal, as words. */
function scrambleColumns(random: RandomBits, columns: Uint32Array): void {
  for (let bit = 0; bit < SOBOL_BITS; bit += 1) {
    const diagonal = (1 << (SOBOL_BITS - 1 - bit)) >>> 0;
    columns[bit] = diagonal | (random() & (diagonal - 1));
  }
}

function multiply(columns: Uint32Array, word: number): number {
  let product = 0;
  for (let rest = word; rest !== 0;) {
    const bit = Math.clz32(rest);
    product ^= columns[bit]!;
    rest &= ~(1 << (SOBOL_BITS - 1 - bit));
  }
  return product;
}

/**
 * Points of a Sobol sequence under a random linear scramble and a random digital shift, as normals: dimension
 * by dimension for a block of successive points. Each single point is uniform, the set keeps its evenness,
 * and other seeds give independent sets. Source: J. Matoušek, On the L2-Discrepancy for Anchored Boxes
 * (1998), as in scipy's `qmc.Sobol`.
 *
 * The coordinates past `SOBOL_DIMENSIONS` are pseudo-random: in bridge order these are the last refinements
 * of long paths of many assets, which carry almost no variance.
 */
export class ScrambledSobol {
  private readonly bits: number;
  private readonly directions: Uint32Array;
  private readonly state: Uint32Array;
  private readonly random: RandomBits;
  private readonly changes: Uint8Array;
  private readonly words: Uint32Array;
  private first = 0;
  private count = 0;

  /** @param points most points to read, over all blocks  @param block most points of a block */
  constructor(
    private readonly dimensions: number,
    points: number,
    block: number,
    seed: number,
  ) {
    const scrambled = Math.min(dimensions, SOBOL_DIMENSIONS);
    this.bits = Math.max(1, Math.ceil(Math.log2(points)));
    this.random = randomBits(seed);
    this.changes = new Uint8Array(block);
    this.words = new Uint32Array(block);
    this.state = new Uint32Array(scrambled);
    // One further direction for each dimension: 0, the step to the first point.
    this.directions = new Uint32Array(scrambled * (this.bits + 1));
    const plain = sobolDirections();
    const columns = new Uint32Array(SOBOL_BITS);
    for (let dimension = 0; dimension < scrambled; dimension += 1) {
      scrambleColumns(this.random, columns);
      this.state[dimension] = this.random();
      for (let k = 0; k < this.bits; k += 1) {
        this.directions[dimension * (this.bits + 1) + k] = multiply(
          columns,
          plain[dimension * SOBOL_BITS + k]!,
        );
      }
    }
  }

  /** Advances to the next `count` points. Every dimension must then be read once. */
  nextBlock(count: number): void {
    this.first += this.count;
    this.count = count;
    for (let i = 0; i < count; i += 1) {
      const point = this.first + i;
      this.changes[i] = point === 0 ? this.bits : 31 - Math.clz32(point & -point);
    }
  }

  /** The block's coordinates of one dimension as standard normals. Error: absolute 1e-8. */
  fillNormals(dimension: number, out: Float64Array): void {
    fillNormalsFromWords(this.fillWords(dimension), out, this.count);
  }

  /** The block's coordinates of one dimension, 0 to below 1. */
  fillUniforms(dimension: number, out: Float64Array): void {
    const words = this.fillWords(dimension);
    for (let i = 0; i < this.count; i += 1) out[i] = words[i]! * UNIT;
  }

  /** The block's coordinates of one dimension as 32-bit words. */
  private fillWords(dimension: number): Uint32Array {
    if (dimension >= this.dimensions) throw new RangeError(`There is no dimension ${dimension}.`);
    const { changes, directions, words } = this;
    if (dimension >= SOBOL_DIMENSIONS) {
      for (let i = 0; i < this.count; i += 1) words[i] = this.random();
      return words;
    }
    const from = dimension * (this.bits + 1);
    let word = this.state[dimension]!;
    for (let i = 0; i < this.count; i += 1) {
      word ^= directions[from + changes[i]!]!;
      words[i] = word;
    }
    this.state[dimension] = word;
    return words;
  }
}
