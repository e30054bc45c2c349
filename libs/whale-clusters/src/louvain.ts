import { type WeightedGraph, condense } from './weighted-graph';

const MOST_LEVELS = 20;
const MOST_PASSES = 12;
/** A pass that moves fewer nodes than this share ends a level. */
const SETTLED_SHARE = 0.000_1;
const TIE = 1e-12;

/**
 * Communities by Louvain's method (Blondel et al., 2008) with modularity at a resolution (Reichardt and
 * Bornholdt, 2006): the community of each node, numbered from 0.
 * @param penalty of a pair of nodes for each unit of both their strengths: resolution / (2 × total weight)
 * @param random numbers in [0, 1), for the order of the nodes
 */
export function louvain(graph: WeightedGraph, penalty: number, random: () => number): Uint32Array {
  let level = graph;
  let communityOf = Uint32Array.from({ length: graph.size }, (_, node) => node);
  for (let depth = 0; depth < MOST_LEVELS; depth += 1) {
    const { groupOf, count } = moveNodes(level, penalty, random);
    if (count === level.size) break;
    communityOf = communityOf.map((group) => groupOf[group]!);
    level = condense(level, groupOf, count);
  }
  return communityOf;
}

/** Moves each node to the neighbouring community that gains most, until little moves. */
function moveNodes(
  graph: WeightedGraph,
  penalty: number,
  random: () => number,
): { groupOf: Uint32Array; count: number } {
  const { size, offsets, targets, weights } = graph;
  const strength = strengthsOf(graph);
  const communityOf = Uint32Array.from({ length: size }, (_, node) => node);
  const total = strength.slice();
  const shared = new Float64Array(size);
  const touched = new Uint32Array(size);
  const order = shuffled(size, random);
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    let moved = 0;
    for (const node of order) {
      const own = communityOf[node]!;
      let count = 0;
      for (let at = offsets[node]!; at < offsets[node + 1]!; at += 1) {
        const community = communityOf[targets[at]!]!;
        if (shared[community] === 0) touched[count++] = community;
        shared[community]! += weights[at]!;
      }
      const cost = penalty * strength[node]!;
      total[own]! -= strength[node]!;
      let best = own;
      let bestGain = shared[own]! - cost * total[own]!;
      for (let at = 0; at < count; at += 1) {
        const community = touched[at]!;
        const gain = shared[community]! - cost * total[community]!;
        if (gain > bestGain + TIE) [best, bestGain] = [community, gain];
        shared[community] = 0;
      }
      total[best]! += strength[node]!;
      if (best !== own) {
        communityOf[node] = best;
        moved += 1;
      }
    }
    if (moved <= size * SETTLED_SHARE) break;
  }
  return numbered(communityOf);
}

/** The total weight of each node's edges. Edges inside a node count for both their ends. */
export function strengthsOf({ size, offsets, weights, inner }: WeightedGraph): Float64Array {
  const strength = new Float64Array(size);
  for (let node = 0; node < size; node += 1) {
    let sum = 2 * inner[node]!;
    for (let at = offsets[node]!; at < offsets[node + 1]!; at += 1) sum += weights[at]!;
    strength[node] = sum;
  }
  return strength;
}

function numbered(communityOf: Uint32Array): { groupOf: Uint32Array; count: number } {
  const numberOf = new Int32Array(communityOf.length).fill(-1);
  let count = 0;
  const groupOf = communityOf.map((community) => {
    if (numberOf[community] === -1) numberOf[community] = count++;
    return numberOf[community]!;
  });
  return { groupOf, count };
}

function shuffled(size: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length: size }, (_, node) => node);
  for (let last = size - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
