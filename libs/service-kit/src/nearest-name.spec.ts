import { nearestName } from './nearest-name';

const KNOWN = new Set(['wallet', 'protocol', 'chainId', 'limit', 'cursor', 'id']);

describe('nearestName', () => {
  it.each([
    ['walet', 'wallet'],
    ['wallets', 'wallet'],
    ['wlalet', 'wallet'],
    ['chainid', 'chainId'],
    ['chain_id', 'chainId'],
    ['chain', 'chainId'],
    ['Limit', 'limit'],
    ['ID', 'id'],
  ])('of %s is %s', (name, nearest) => expect(nearestName(name, KNOWN)).toBe(nearest));

  it.each(['severity', 'x', '', '__proto__', 'a'.repeat(5_000)])('of %s is unknown', (name) =>
    expect(nearestName(name, KNOWN)).toBeUndefined(),
  );

  it('prefers fewer edits to an earlier name', () => {
    expect(nearestName('cash', ['cache', 'cashe', 'cash'])).toBe('cash');
  });
});
