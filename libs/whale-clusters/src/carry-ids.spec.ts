import fc from 'fast-check';
import { carryIds } from './carry-ids';

const known = [
  { id: 'wc_large', wallets: ['a', 'b', 'c', 'd'] },
  { id: 'wc_small', wallets: ['x', 'y'] },
];
function ids(clusters: string[][]): string[] {
  let next = 0;
  return carryIds(known, clusters, () => `new_${(next += 1)}`);
}

describe('carryIds', () => {
  it.each<[string, string[][], string[]]>([
    [
      'stays while wallets come and go',
      [
        ['a', 'b', 'e'],
        ['x', 'y'],
      ],
      ['wc_large', 'wc_small'],
    ],
    ['is the larger one’s after a merge', [['x', 'y', 'a', 'b', 'c', 'd']], ['wc_large']],
    ['is the larger part’s after a split', [['a'], ['b', 'c', 'd']], ['new_1', 'wc_large']],
    ['is new for what shares nothing', [['m', 'n']], ['new_1']],
  ])('an id %s', (_, clusters, expected) => expect(ids(clusters)).toEqual(expected));

  it('returns no id twice, and keeps all ids when nothing changed', () => {
    const partition = fc.uniqueArray(fc.nat(40), { minLength: 1 }).map((wallets) => {
      const clusters: string[][] = [];
      for (const wallet of wallets) (clusters[wallet % 7] ??= []).push(String(wallet));
      return clusters.filter((cluster) => cluster !== undefined);
    });
    fc.assert(
      fc.property(partition, partition, (before, after) => {
        const named = before.map((wallets, at) => ({ id: `wc_${at}`, wallets }));
        let next = 0;
        const carried = carryIds(named, after, () => `new_${(next += 1)}`);
        expect(new Set(carried).size).toBe(after.length);
        expect(carryIds(named, before, () => 'new')).toEqual(named.map(({ id }) => id));
      }),
    );
  });
});
