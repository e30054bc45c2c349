import { clusterWallets, toEdges } from '@plimsoll/whale-clusters';
import type { ChainEvidence } from './cluster';

/**
 * Returns the wallets of each cluster with its internal evidence. Pure.
 * @param random returns numbers in [0, 1)
 */
export function findClusters(
  evidence: readonly ChainEvidence[],
  random: () => number,
): { wallets: string[]; evidence: ChainEvidence[] }[] {
  const { wallets, edges } = toEdges(evidence);
  const { clusterOf, count } = clusterWallets(wallets.length, edges, random);
  const clusters = Array.from({ length: count }, () => ({
    wallets: [] as string[],
    evidence: [] as ChainEvidence[],
  }));
  wallets.forEach((wallet, at) => clusters[clusterOf[at]!]?.wallets.push(wallet));
  evidence.forEach((each, at) => {
    const [a, b] = [clusterOf[edges.from[at]!]!, clusterOf[edges.to[at]!]!];
    if (a === b) clusters[a]?.evidence.push(each);
  });
  return clusters;
}
