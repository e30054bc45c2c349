import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { solidityHash } from '../solidity/compile';
import { type FetchedVenus, VENUS_FOLDERS, VENUS_ORACLE_INPUT, VENUS_PACKAGE } from './artifacts';

describe('fetched.json', () => {
  const fetched = JSON.parse(readFileSync(join(__dirname, 'fetched.json'), 'utf8')) as FetchedVenus;

  // When one of these fails: node tools/fetch-venus.cjs
  it('is of the package that is named', () => {
    expect(fetched.package).toEqual(VENUS_PACKAGE);
    expect(Object.keys(fetched.artifacts)).toEqual([...Object.keys(VENUS_FOLDERS), 'VenusFeedOracle']);
  });

  it('has our oracle as its source is', () => {
    expect(fetched.oracleHash).toBe(solidityHash(VENUS_ORACLE_INPUT));
  });
});
