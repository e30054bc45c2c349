import type { WeightedGraph } from './weighted-graph';

/**
 * The graph without weak edges: those below `minSupport` together with the support from paths over one common
 * neighbour, each as strong as its weaker half.
 */
export function supportedEdges(graph: WeightedGraph, minSupport: number): WeightedGraph {
  const { size, offsets, targets, weights } = graph;
  const isKept = new Uint8Array(targets.length);
  const weightTo = new Float64Array(size);
  for (let node = 0; node < size; node += 1) {
    for (let at = offsets[node]!; at < offsets[node + 1]!; at += 1) weightTo[targets[at]!] = weights[at]!;
    for (let at = offsets[node]!; at < offsets[node + 1]!; at += 1) {
      const other = targets[at]!;
      let support = weights[at]!;
      for (let way = offsets[other]!; support < minSupport && way < offsets[other + 1]!; way += 1) {
        support += Math.min(weights[way]!, weightTo[targets[way]!]!);
      }
      if (support >= minSupport) isKept[at] = 1;
    }
    for (let at = offsets[node]!; at < offsets[node + 1]!; at += 1) weightTo[targets[at]!] = 0;
  }
  const kept = new Uint32Array(size + 1);
  let end = 0;
  for (let node = 0; node < size; node += 1) {
    for (let at = offsets[node]!; at < offsets[node + 1]!; at += 1) end += isKept[at]!;
    kept[node + 1] = end;
  }
  return {
    ...graph,
    offsets: kept,
    targets: targets.filter((_, at) => isKept[at] === 1),
    weights: weights.filter((_, at) => isKept[at] === 1),
  };
}
