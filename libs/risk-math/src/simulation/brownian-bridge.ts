/** One point of a Brownian path between two known ones: W = wₗ·W_left + wᵣ·W_right + deviation·Z. */
export interface BridgeNode {
  index: number;
  left: number;
  /** −1 for the end of the path, which depends only on its start. */
  right: number;
  leftWeight: number;
  rightWeight: number;
  deviation: number;
}

/**
 * The order in which a Brownian bridge builds a path over the times 0, 1, … steps: the end, the middle, the
 * quarters. The first coordinates then decide nearly all of the path, and a Sobol set is most even in them.
 * Breadth first. Source: R. E. Caflisch, W. Morokoff, A. Owen, Valuation of Mortgage-Backed Securities Using
 * Brownian Bridges (1997).
 */
export function bridgeNodes(steps: number): BridgeNode[] {
  const nodes: BridgeNode[] = [
    { index: steps, left: 0, right: -1, leftWeight: 1, rightWeight: 0, deviation: Math.sqrt(steps) },
  ];
  let gaps: [number, number][] = [[0, steps]];
  while (gaps.length > 0) {
    const halves: [number, number][] = [];
    for (const [left, right] of gaps) {
      if (right - left < 2) continue;
      const index = (left + right) >> 1;
      const width = right - left;
      nodes.push({
        index,
        left,
        right,
        leftWeight: (right - index) / width,
        rightWeight: (index - left) / width,
        deviation: Math.sqrt(((index - left) * (right - index)) / width),
      });
      halves.push([left, index], [index, right]);
    }
    gaps = halves;
  }
  return nodes;
}

/**
 * Computes one node of a block of paths. `paths` has for each time a row of `width` paths, with zeros in row
 * 0. `normals` are the node's normals.
 */
export function fillNode(
  node: BridgeNode,
  normals: Float64Array,
  paths: Float64Array,
  width: number,
  count: number,
): void {
  const { leftWeight, rightWeight, deviation } = node;
  const at = node.index * width;
  if (node.right < 0) {
    for (let p = 0; p < count; p += 1) paths[at + p] = deviation * normals[p]!;
    return;
  }
  const left = node.left * width;
  const right = node.right * width;
  for (let p = 0; p < count; p += 1) {
    paths[at + p] = leftWeight * paths[left + p]! + rightWeight * paths[right + p]! + deviation * normals[p]!;
  }
}
