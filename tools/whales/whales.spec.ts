import { clustersOfTransfers } from './clusters-of-transfers';
import { parseTransfers } from './parse-transfers';

const line = (from: string, to: string, block: number, usd = 5_000): string =>
  JSON.stringify({ from, to, block, usd });

describe('npm run whales', () => {
  it('finds the family of a funder, in any order of the lines', () => {
    const lines = [
      line('F', 'a', 1),
      line('F', 'b', 2),
      line('x', 'y', 9),
      line('a', 'b', 5),
      line('b', 'a', 4),
    ];
    const { clusters } = clustersOfTransfers(parseTransfers(lines.reverse().join('\n')));
    expect(clusters.map(({ wallets }) => wallets)).toEqual([
      ['a', 'b', 'f'],
      ['x', 'y'],
    ]);
    expect(clusters[0]?.evidence.map(({ kind }) => kind)).toContain('mutual_transfers');
  });

  it('an exchange that funds hundreds joins no wallets', () => {
    const lines = Array.from({ length: 201 }, (_, at) => line('exchange', `w${at}`, at));
    expect(clustersOfTransfers(parseTransfers(lines.join('\n')))).toMatchObject({
      clusters: [],
      hubs: ['exchange'],
    });
  });

  it('clusters the 5,000 wallets of one file within seconds', () => {
    const lines = Array.from({ length: 5_000 }, (_, at) => line(`f${Math.floor(at / 10)}`, `w${at}`, at));
    expect(clustersOfTransfers(parseTransfers(lines.join('\n'))).clusters).toHaveLength(500);
  });

  it.each([
    ['{"from":"a"}', 'line 1'],
    [`${line('a', 'b', 1)}\nnot json`, 'line 2'],
  ])('names the line that is wrong: %j', (text, named) => expect(() => parseTransfers(text)).toThrow(named));
});
