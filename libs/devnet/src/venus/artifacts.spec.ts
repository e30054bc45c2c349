import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { solidityHash } from '../solidity/compile';
import { type FetchedVenus, VENUS_FOLDERS, VENUS_ORACLE_INPUT, VENUS_PACKAGE } from './artifacts';

describe('fetched.json', () => {
  const fetched = JSON.parse(readFileSync(join(__dirname, 'fetched.json'), 'utf8')) as FetchedVenus;

  // When one of these fails: node tools/fetch-venus.cjs
  it('names the installed package', () => {
    expect(fetched.package).toEqual(VENUS_PACKAGE);
    expect(Object.keys(fetched.artifacts)).toEqual([...Object.keys(VENUS_FOLDERS), 'VenusFeedOracle']);
  });

  it('matches the source of our oracle', () => {
    expect(fetched.oracleHash).toBe(solidityHash(VENUS_ORACLE_INPUT));
  });
});
