/** Returns the next of a sequence of uniform 32-bit integers, 0 to 2³² − 1. */
export type RandomBits = () => number;

const rotateLeft = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** One round of a 32-bit mixer (C. Wellons, Prospecting for Hash Functions): every bit depends on every bit. */
function mix(word: number): number {
  let hash = word;
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/**
 * Reproducible pseudo-random bits from a 32-bit seed: xoshiro128** with its state filled by a mixed counter. Period 2¹²⁸ − 1;
 * not for secrets. Source: D. Blackman and S. Vigna, Scrambled Linear Pseudorandom Number Generators (2021).
 */
export function randomBits(seed: number): RandomBits {
  let [a, b, c, d] = [1, 2, 3, 4].map((round) => mix(seed + Math.imul(round, 0x9e3779b9))) as [
    number,
    number,
    number,
    number,
  ];
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return result;
  };
}

/** A seed for the n-th of several independent sequences, n from 0. */
export function childSeed(seed: number, n: number): number {
  return mix(seed ^ mix(Math.imul(n + 1, 0x85ebca6b)));
}

/**
 * A 32-bit seed from a text, so that the same inputs give the same figures: FNV-1a over the UTF-16 units,
 * mixed. Two texts share a seed with probability 2⁻³².
 */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return mix(hash);
}
