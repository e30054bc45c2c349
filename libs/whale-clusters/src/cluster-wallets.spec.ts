import fc from 'fast-check';
import { clusterWallets } from './cluster-wallets';
import { type Evidence, toEdges } from './evidence';

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const edge = (a: string, b: string, weight: number): Evidence => ({
  a,
  b,
  kind: 'acting_for',
  weight,
  block: 1,
});

/** The clusters as sorted names. */
function clustersOf(evidence: Evidence[], seed = 1): string[][] {
  const { wallets, edges } = toEdges(evidence);
  const { clusterOf, count } = clusterWallets(wallets.length, edges, seeded(seed));
  return Array.from({ length: count }, (_, cluster) =>
    wallets.filter((_wallet, at) => clusterOf[at] === cluster).sort(),
  ).sort();
}

describe('clusterWallets', () => {
  it('joins wallets with strong evidence, and keeps other wallets separate', () => {
    expect(clustersOf([edge('a', 'b', 0.7), edge('b', 'c', 0.9), edge('x', 'y', 0.8)])).toEqual([
      ['a', 'b', 'c'],
      ['x', 'y'],
    ]);
  });

  it('a single weak piece of evidence joins no wallets; two kinds of it do', () => {
    expect(clustersOf([edge('a', 'b', 0.4)])).toEqual([]);
    expect(clustersOf([edge('a', 'b', 0.4), edge('a', 'b', 0.3)])).toEqual([['a', 'b']]);
  });

  it('a wallet with only weak evidence does not join a family', () => {
    const family = [edge('a', 'b', 0.9), edge('b', 'c', 0.9), edge('a', 'c', 0.9)];
    expect(clustersOf([...family, edge('c', 'stranger', 0.3)])).toEqual([['a', 'b', 'c']]);
  });

  it('joins certain evidence without further conditions', () => {
    expect(clustersOf([edge('a', 'b', 1)])).toEqual([['a', 'b']]);
  });

  it('a hub joins no wallets, and its families remain separate', () => {
    const families = Array.from({ length: 150 }, (_, at) => edge(`a${at}`, `b${at}`, 0.9));
    const fromHub = families.flatMap(({ a, b }) => [edge('hub', a, 0.7), edge('hub', b, 0.7)]);
    const clusters = clustersOf([...families, ...fromHub]);
    expect(clusters).toHaveLength(150);
    expect(clusters.every((wallets) => wallets.length === 2 && !wallets.includes('hub'))).toBe(true);
  });

  it('two dense families with one piece of evidence between them remain two', () => {
    const dense = (name: string): Evidence[] =>
      Array.from({ length: 12 }, (_, a) =>
        Array.from({ length: a }, (_other, b) => edge(`${name}${a}`, `${name}${b}`, 0.7)),
      ).flat();
    expect(clustersOf([...dense('a'), ...dense('b'), edge('a0', 'b0', 0.7)])).toHaveLength(2);
  });

  const evidence = fc.array(
    fc.record({
      a: fc.integer({ min: 0, max: 30 }).map(String),
      b: fc.integer({ min: 0, max: 30 }).map(String),
      kind: fc.constant('acting_for' as const),
      block: fc.constant(1),
      weight: fc.double({ min: 0.05, max: 1, noNaN: true }),
    }),
    { maxLength: 80 },
  );

  it('assigns every wallet to at most one cluster of two and more, all reachable within it', () => {
    fc.assert(
      fc.property(evidence, fc.integer(), (list, seed) => {
        const pairs = list.filter(({ a, b }) => a !== b);
        for (const wallets of clustersOf(list, seed)) {
          expect(wallets.length).toBeGreaterThan(1);
          const reached = new Set(wallets.slice(0, 1));
          for (let before = -1; before !== reached.size;) {
            before = reached.size;
            for (const { a, b } of pairs) {
              if (!wallets.includes(a) || !wallets.includes(b)) continue;
              if (reached.has(a) || reached.has(b)) reached.add(a).add(b);
            }
          }
          expect(reached.size).toBe(wallets.length);
        }
      }),
    );
  });

  it('joins every certain pair, whatever other evidence there is', () => {
    fc.assert(
      fc.property(evidence, fc.integer(), (list, seed) => {
        const clusters = clustersOf([...list, edge('p', 'q', 1)], seed);
        expect(clusters.some((wallets) => wallets.includes('p') && wallets.includes('q'))).toBe(true);
      }),
    );
  });

  it('is the same for the same seed', () => {
    fc.assert(
      fc.property(evidence, fc.integer(), (list, seed) => {
        expect(clustersOf(list, seed)).toEqual(clustersOf(list, seed));
      }),
    );
  });
});
