import { type Evidence, clusterWallets, toEdges } from '@plimsoll/whale-clusters';

/** Evidence on a chain. */
export interface ChainEvidence extends Evidence {
  chainId: number;
}

/** Stored wallets that probably have one owner. */
export interface Cluster {
  /** Net value of each wallet's positions, USD. */
  valueUsd: ReadonlyMap<string, number>;
  totalValueUsd: number;
  dominantProtocol: string;
  evidence: readonly ChainEvidence[];
}

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
