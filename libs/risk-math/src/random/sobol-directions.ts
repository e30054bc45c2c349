import table from './joe-kuo.json';

/** Dimensions with direction numbers: a year of daily steps of eight assets. */
export const SOBOL_DIMENSIONS = table.dimensions;

/** Bits of a coordinate. */
export const SOBOL_BITS = 32;

/** Reads the packed table bit by bit, the highest first. */
function bitReader(packed: Uint8Array): (count: number) => number {
  let position = 0;
  return (count) => {
    let value = 0;
    for (let end = position + count; position < end; position += 1) {
      value = (value << 1) | ((packed[position >> 3]! >> (7 - (position & 7))) & 1);
    }
    return value;
  };
}

/** The direction numbers of one dimension from its polynomial (degree and inner coefficients) and the start values m. */
function fillDimension(out: Uint32Array, at: number, coefficients: number, m: readonly number[]): void {
  const degree = m.length;
  for (let k = 0; k < degree; k += 1) out[at + k] = m[k]! << (SOBOL_BITS - 1 - k);
  for (let k = degree; k < SOBOL_BITS; k += 1) {
    const oldest = out[at + k - degree]!;
    let value = oldest ^ (oldest >>> degree);
    for (let j = 1; j < degree; j += 1) {
      if ((coefficients >> (degree - 1 - j)) & 1) value ^= out[at + k - j]!;
    }
    out[at + k] = value;
  }
}

function unpack(): Uint32Array {
  const take = bitReader(Buffer.from(table.packed, 'base64'));
  const directions = new Uint32Array(SOBOL_DIMENSIONS * SOBOL_BITS);
  for (let k = 0; k < SOBOL_BITS; k += 1) directions[k] = 1 << (SOBOL_BITS - 1 - k);
  let dimension = 1;
  for (const [index, count] of table.dimensionsByDegree.entries()) {
    const degree = index + 1;
    for (const end = dimension + count; dimension < end; dimension += 1) {
      const coefficients = take(degree - 1);
      const m = Array.from({ length: degree }, (_, k) => (k === 0 ? 1 : (take(k) << 1) | 1));
      fillDimension(directions, dimension * SOBOL_BITS, coefficients, m);
    }
  }
  return directions;
}

let unpacked: Uint32Array | undefined;

/**
 * Direction numbers of all dimensions, 32 a dimension, the highest bit first; unpacked at the first use (12 ms, 374 kB).
 * Source: S. Joe and F. Y. Kuo, new-joe-kuo-6 (2008).
 */
export function sobolDirections(): Uint32Array {
  unpacked ??= unpack();
  return unpacked;
}
