import { louvain, strengthsOf } from './louvain';
import { supportedEdges } from './supported-edges';
import { UnionFind } from './union-find';
import { type EdgeList, type WeightedGraph, graphOf } from './weighted-graph';

/** The limits of a cluster. */
export interface ClusterOptions {
  /**
   * A wallet with evidence to more others than this is a hub (exchange, router, bridge), and joins no
   * wallets.
   */
  hubDegree: number;
  /** The least evidence between two wallets that joins them, paths over common neighbours included. */
  minSupport: number;
  /** Number of wallets up to which a cluster of ordinary strength is not split in two. */
  typicalSize: number;
}

export const DEFAULT_OPTIONS: ClusterOptions = { hubDegree: 200, minSupport: 0.5, typicalSize: 175 };

/** The clusters of wallets. */
export interface Clustering {
  /** Cluster of each wallet, numbered from 0. −1: none. */
  clusterOf: Int32Array;
  /** Clusters of two wallets and more. */
  count: number;
  /** 1: a hub. */
  isHub: Uint8Array;
}

const CERTAIN = 1;

/**
 * Finds the clusters of `size` wallets. Hubs are removed. Certain pairs (weight 1) are joined. Weak evidence
 * is omitted. Weighted Louvain finds communities among the groups, and a cluster is a connected part of one.
 * @param edges evidence between numbers below `size`
 * @param random numbers in [0, 1): the same sequence gives the same clusters
 * @param isKnownHub 1 for wallets that are known to be hubs
 */
export function clusterWallets(
  size: number,
  edges: EdgeList,
  random: () => number,
  options: Partial<ClusterOptions> = {},
  isKnownHub: Uint8Array = new Uint8Array(size),
): Clustering {
  const { hubDegree, minSupport, typicalSize } = { ...DEFAULT_OPTIONS, ...options };
  const isHub = hubsOf(size, edges, hubDegree, isKnownHub);
  const certain = new UnionFind(size);
  for (let at = 0; at < edges.weight.length; at += 1) {
    const [a, b] = [edges.from[at]!, edges.to[at]!];
    if (edges.weight[at]! >= CERTAIN && !isHub[a] && !isHub[b]) certain.join(a, b);
  }
  const { groupOf, count } = certain.groups();
  const isCut = new Uint8Array(count);
  for (let wallet = 0; wallet < size; wallet += 1) if (isHub[wallet]) isCut[groupOf[wallet]!] = 1;
  const graph = supportedEdges(graphOf(count, edges, groupOf, isCut), minSupport);
  const communityOf = louvain(graph, penaltyOf(graph, typicalSize), random);
  const joined = connected(graph, communityOf);
  return { ...numberClusters(size, (wallet) => joined.find(groupOf[wallet]!)), isHub };
}

/** Wallets with evidence to more than this number of others. */
function hubsOf(size: number, edges: EdgeList, hubDegree: number, isKnownHub: Uint8Array): Uint8Array {
  const own = Uint32Array.from({ length: size }, (_, wallet) => wallet);
  const { offsets } = graphOf(size, edges, own, new Uint8Array(size));
  const isHub = Uint8Array.from(isKnownHub);
  for (let wallet = 0; wallet < size; wallet += 1) {
    if (offsets[wallet + 1]! - offsets[wallet]! > hubDegree) isHub[wallet] = 1;
  }
  return isHub;
}

/** A node of mean strength still gains by joining a community of almost `typicalSize` such nodes. */
function penaltyOf(graph: WeightedGraph, typicalSize: number): number {
  const strengths = strengthsOf(graph).filter((strength) => strength > 0);
  const mean = strengths.reduce((sum, strength) => sum + strength, 0) / Math.max(1, strengths.length);
  return 1 / (Math.max(mean, Number.MIN_VALUE) * typicalSize);
}

/** Joins the nodes of a community that an edge inside it connects. */
function connected({ size, offsets, targets }: WeightedGraph, communityOf: Uint32Array): UnionFind {
  const joined = new UnionFind(size);
  for (let node = 0; node < size; node += 1) {
    for (let at = offsets[node]!; at < offsets[node + 1]!; at += 1) {
      const target = targets[at]!;
      if (communityOf[target] === communityOf[node]) joined.join(node, target);
    }
  }
  return joined;
}

function numberClusters(
  size: number,
  rootOf: (wallet: number) => number,
): Pick<Clustering, 'clusterOf' | 'count'> {
  const roots = Array.from({ length: size }, (_, wallet) => rootOf(wallet));
  const members = new Map<number, number>();
  for (const root of roots) members.set(root, (members.get(root) ?? 0) + 1);
  const numberOf = new Map<number, number>();
  const clusterOf = Int32Array.from(roots, (root) => {
    if ((members.get(root) ?? 0) < 2) return -1;
    const number = numberOf.get(root) ?? numberOf.size;
    numberOf.set(root, number);
    return number;
  });
  return { clusterOf, count: numberOf.size };
}
