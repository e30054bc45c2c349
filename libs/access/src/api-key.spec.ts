import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { generateApiKey, hashApiKey, isWellFormedApiKey } from './api-key';

const KINDS = ['live', 'demo', 'test'] as const;

describe('API keys', () => {
  it('are well formed for every kind and never equal', () => {
    const keys = Array.from({ length: 200 }, (_, i) => generateApiKey(KINDS[i % 3]!, randomBytes));
    expect(keys.every(isWellFormedApiKey)).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('fail the checksum when one character of the secret is wrong', () => {
    const key = generateApiKey('live', randomBytes);
    fc.assert(
      fc.property(fc.integer({ min: 9, max: 40 }), fc.constantFrom('A', 'b', '7', 'Z'), (at, letter) => {
        const typo = key.slice(0, at) + letter + key.slice(at + 1);
        return typo === key || !isWellFormedApiKey(typo);
      }),
    );
  });

  it('are stored as a SHA-256 that does not contain the key', () => {
    const key = generateApiKey('live', randomBytes);
    expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/);
  });
});
