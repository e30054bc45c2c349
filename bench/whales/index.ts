import { parseArgs } from 'node:util';
import { seededRandom } from '@plimsoll/devnet';
import { clusterWallets } from '@plimsoll/whale-clusters';
import { measureIndexing } from './indexing';
import { plant, scorePairs } from './planted';

export const description =
  'planted families of wallets found among noise over 20 seeds, 1,000,000 edges clustered, logs of a local chain indexed [--no-indexing]';

const SEEDS = 20;
const AIM = { precision: 0.95, recall: 0.9, clusterMs: 5_000 };
const SMALL = {
  wallets: 5_000,
  edges: null,
  noiseShare: 0.1,
  lonelyShare: 0.3,
  hubs: { count: 5, wallets: 600 },
};
const LARGE = {
  wallets: 100_000,
  edges: 1_000_000,
  noiseShare: 0.1,
  lonelyShare: 0.1,
  hubs: { count: 20, wallets: 1_000 },
};

/** Runs the bench. `--no-indexing` omits the part with a chain and a database. */
export async function run(args: readonly string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({ args: [...args], options: { 'no-indexing': { type: 'boolean' } } });
  const planted = Array.from({ length: SEEDS }, (_, seed) => {
    const { size, edges, familyOf } = plant(seed + 1, SMALL);
    return scorePairs(familyOf, clusterWallets(size, edges, seededRandom(seed)).clusterOf);
  });
  const lowest = (values: number[]): number => round(Math.min(...values));
  const mean = (values: number[]): number =>
    round(values.reduce((sum, each) => sum + each, 0) / values.length);
  const precisions = planted.map(({ precision }) => precision);
  const recalls = planted.map(({ recall }) => recall);
  const large = measureLarge();
  const indexing = values['no-indexing'] ? null : await measureIndexing();
  return {
    bench: 'whales',
    node: process.version,
    planted: {
      seeds: SEEDS,
      ...SMALL,
      precision: { lowest: lowest(precisions), mean: mean(precisions) },
      recall: { lowest: lowest(recalls), mean: mean(recalls) },
    },
    large,
    indexing,
    aim: AIM,
    passed:
      lowest(precisions) >= AIM.precision &&
      lowest(recalls) >= AIM.recall &&
      large.clusterMs <= AIM.clusterMs,
  };
}

function measureLarge(): Record<string, unknown> & { clusterMs: number } {
  const { size, edges, familyOf } = plant(1, LARGE);
  const begunMs = performance.now();
  const { clusterOf, count } = clusterWallets(size, edges, seededRandom(1));
  const clusterMs = Math.round(performance.now() - begunMs);
  const { precision, recall } = scorePairs(familyOf, clusterOf);
  return {
    wallets: size,
    edges: edges.from.length,
    clusters: count,
    clusterMs,
    precision: round(precision),
    recall: round(recall),
  };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
