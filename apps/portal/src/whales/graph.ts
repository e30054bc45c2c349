/** Evidence of two wallets. */
export interface Evidence {
  wallets: readonly string[];
  kind: string;
  /** Between 0 and 1. */
  weight: number;
}

/** A wallet with its place in the graph, from 0 to 1 in both directions. */
export interface Node {
  wallet: string;
  /** In the list of wallets, from 1. */
  number: number;
  x: number;
  y: number;
}

/** All evidence of two wallets as one line. */
export interface Edge {
  from: Node;
  to: Node;
  kinds: readonly string[];
  /** That of the strongest evidence. */
  weight: number;
}

/** Distance of the nodes from the middle. */
const RADIUS = 0.42;

/**
 * Places wallets on a circle, and joins the evidence of each pair.
 * @param wallets the first ones that the graph has room for
 */
export function graphOf(
  wallets: readonly string[],
  evidence: readonly Evidence[],
): { nodes: Node[]; edges: Edge[] } {
  const nodes = wallets.map((wallet, index): Node => {
    const angle = (index / wallets.length) * 2 * Math.PI - Math.PI / 2;
    return {
      wallet,
      number: index + 1,
      x: 0.5 + RADIUS * Math.cos(angle),
      y: 0.5 + RADIUS * Math.sin(angle),
    };
  });
  const known = new Map(nodes.map((node) => [node.wallet.toLowerCase(), node]));
  const edges = new Map<string, Edge>();
  for (const { wallets: pair, kind, weight } of evidence) {
    const [a, b] = pair.map((wallet) => known.get(wallet.toLowerCase()));
    if (!a || !b || a === b) continue;
    const [from, to] = a.number < b.number ? [a, b] : [b, a];
    const key = `${from.number} ${to.number}`;
    const edge = edges.get(key);
    edges.set(key, {
      from,
      to,
      kinds: [...new Set([...(edge?.kinds ?? []), kind])],
      weight: Math.max(weight, edge?.weight ?? 0),
    });
  }
  return { nodes, edges: [...edges.values()] };
}
