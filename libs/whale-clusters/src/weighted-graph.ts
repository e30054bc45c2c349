/** Pairs of node numbers with weights. A pair may occur more than once. */
export interface EdgeList {
  from: Uint32Array;
  to: Uint32Array;
  weight: Float64Array;
}

/** An undirected graph in compressed rows: the neighbours of node i are from offsets[i] to offsets[i + 1]. */
export interface WeightedGraph {
  size: number;
  offsets: Uint32Array;
  targets: Uint32Array;
  weights: Float64Array;
  /** Weight inside a node that combines several, counted once. */
  inner: Float64Array;
}

/** The strongest evidence that is not certain. A certain pair is joined before the graph is built. */
const MOST = 0.999_999;

/**
 * The graph of the edges between different nodes. Several pieces of evidence for one pair count as independent:
 * 1 − Π(1 − weight).
 * @param nodeOf node of each number in the list
 * @param isCut nodes whose edges are omitted
 */
export function graphOf(
  size: number,
  edges: EdgeList,
  nodeOf: Uint32Array,
  isCut: Uint8Array,
): WeightedGraph {
  const doubts = new Float64Array(edges.weight.length);
  for (let at = 0; at < doubts.length; at += 1) doubts[at] = -Math.log(1 - Math.min(edges.weight[at]!, MOST));
  const graph = mergeRows(size, rowsOf(size, { ...edges, weight: doubts }, nodeOf, isCut));
  for (let at = 0; at < graph.weights.length; at += 1) graph.weights[at] = 1 - Math.exp(-graph.weights[at]!);
  return graph;
}

/** A graph whose nodes are groups of the given graph's. Their edges are summed. */
export function condense(graph: WeightedGraph, groupOf: Uint32Array, groups: number): WeightedGraph {
  const count = graph.targets.length;
  const list: EdgeList = {
    from: new Uint32Array(count),
    to: new Uint32Array(count),
    weight: new Float64Array(count),
  };
  const inner = new Float64Array(groups);
  let kept = 0;
  for (let node = 0; node < graph.size; node += 1) {
    const group = groupOf[node]!;
    inner[group]! += graph.inner[node]!;
    for (let at = graph.offsets[node]!; at < graph.offsets[node + 1]!; at += 1) {
      const target = graph.targets[at]!;
      // Each edge is in the rows of both its ends.
      if (target < node) continue;
      const other = groupOf[target]!;
      if (other === group) inner[group]! += graph.weights[at]!;
      else {
        list.from[kept] = group;
        list.to[kept] = other;
        list.weight[kept] = graph.weights[at]!;
        kept += 1;
      }
    }
  }
  const edges = {
    from: list.from.subarray(0, kept),
    to: list.to.subarray(0, kept),
    weight: list.weight.subarray(0, kept),
  };
  const own = Uint32Array.from({ length: groups }, (_, group) => group);
  return { ...mergeRows(groups, rowsOf(groups, edges, own, new Uint8Array(groups))), inner };
}

type Rows = Pick<WeightedGraph, 'offsets' | 'targets' | 'weights'>;

/** Both directions of every edge, by row. A neighbour may occur in a row more than once. */
function rowsOf(size: number, edges: EdgeList, nodeOf: Uint32Array, isCut: Uint8Array): Rows {
  const offsets = new Uint32Array(size + 1);
  const each = (visit: (a: number, b: number, weight: number) => void): void => {
    for (let at = 0; at < edges.from.length; at += 1) {
      const [a, b] = [nodeOf[edges.from[at]!]!, nodeOf[edges.to[at]!]!];
      if (a !== b && !isCut[a] && !isCut[b]) visit(a, b, edges.weight[at]!);
    }
  };
  each((a, b) => {
    offsets[a + 1]! += 1;
    offsets[b + 1]! += 1;
  });
  for (let node = 0; node < size; node += 1) offsets[node + 1]! += offsets[node]!;
  const next = offsets.slice(0, size);
  const targets = new Uint32Array(offsets[size]!);
  const weights = new Float64Array(offsets[size]!);
  const put = (node: number, target: number, weight: number): void => {
    const at = next[node]!;
    next[node] = at + 1;
    targets[at] = target;
    weights[at] = weight;
  };
  each((a, b, weight) => {
    put(a, b, weight);
    put(b, a, weight);
  });
  return { offsets, targets, weights };
}

/** The same rows with each neighbour once and its weights summed. */
function mergeRows(size: number, rows: Rows): WeightedGraph {
  const offsets = new Uint32Array(size + 1);
  const placeOf = new Int32Array(size).fill(-1);
  let end = 0;
  for (let node = 0; node < size; node += 1) {
    const start = end;
    for (let at = rows.offsets[node]!; at < rows.offsets[node + 1]!; at += 1) {
      const target = rows.targets[at]!;
      const place = placeOf[target]!;
      if (place >= start) rows.weights[place]! += rows.weights[at]!;
      else {
        placeOf[target] = end;
        rows.targets[end] = target;
        rows.weights[end] = rows.weights[at]!;
        end += 1;
      }
    }
    offsets[node + 1] = end;
  }
  return {
    size,
    offsets,
    targets: rows.targets.slice(0, end),
    weights: rows.weights.slice(0, end),
    inner: new Float64Array(size),
  };
}
