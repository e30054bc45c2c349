import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { solidityHash } from '../solidity/compile';
import { VENUE_INPUT } from './artifacts';

describe('compiled.json', () => {
  // When this fails: node tools/compile-venue.cjs
  it('is of the sources and settings as they are', () => {
    const { hash } = JSON.parse(readFileSync(join(__dirname, 'compiled.json'), 'utf8')) as { hash: string };
    expect(hash).toBe(solidityHash(VENUE_INPUT));
  });
});
