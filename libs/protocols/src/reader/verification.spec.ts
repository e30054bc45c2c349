import { allMarkets, loadRegistry } from '@plimsoll/evm';
import { FAMILIES } from '../families';
import { VERIFICATION, verificationOf, type FamilyVerification } from './verification';

describe('VERIFICATION', () => {
  it('has every family that is read, and no other', () => {
    expect(Object.keys(VERIFICATION).toSorted()).toEqual(Object.keys(FAMILIES).toSorted());
  });

  it('has every pair of protocol and chain in the registry', async () => {
    const rows = allMarkets(await loadRegistry());
    const pairs = new Map(rows.map((row) => [`${row.protocol} ${row.chainId}`, row]));
    expect(pairs.size).toBe(83);
    for (const { family } of pairs.values())
      expect(['contract', 'recomputed']).toContain(verificationOf(family).published);
  });

  it('names the function that states a figure of the contract', () => {
    const all: FamilyVerification[] = Object.values(VERIFICATION);
    const unnamed = all.filter(({ published, statedBy }) => published === 'contract' && statedBy === null);
    expect(unnamed).toEqual([]);
  });

  it('rejects a family that it does not have', () => {
    expect(() => verificationOf('unknown')).toThrow('verification.ts');
  });
});
