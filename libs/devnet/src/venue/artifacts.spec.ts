import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { solidityHash } from '../solidity/compile';
import { VENUE_INPUT } from './artifacts';

describe('compiled.json', () => {
  // When this fails: node tools/compile-venue.cjs
  it('matches the current sources and settings', () => {
    const { hash } = JSON.parse(readFileSync(join(__dirname, 'compiled.json'), 'utf8')) as { hash: string };
    expect(hash).toBe(solidityHash(VENUE_INPUT));
  });
});
