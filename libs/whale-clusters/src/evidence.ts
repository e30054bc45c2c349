import type { EdgeList } from './weighted-graph';

/** The kinds of evidence between two wallets. */
export type EvidenceKind =
  | 'owner'
  | 'position_transfer'
  | 'delegate'
  | 'acting_for'
  | 'first_funder'
  | 'mutual_transfers'
  | 'same_block'
  | 'synchronous';

/**
 * The strength of each kind, 0 to 1: about the share of such pairs with one owner. 1 joins without further
 * conditions. For same_block and synchronous it is the weight of the third meeting. Each further one adds
 * 0.1, up to 0.6.
 */
export const EVIDENCE_WEIGHT: Readonly<Record<EvidenceKind, number>> = {
  owner: 1,
  position_transfer: 0.9,
  delegate: 0.8,
  acting_for: 0.7,
  first_funder: 0.7,
  mutual_transfers: 0.4,
  same_block: 0.3,
  synchronous: 0.3,
};

/** Evidence that two wallets belong together. */
export interface Evidence {
  a: string;
  b: string;
  kind: EvidenceKind;
  weight: number;
  /** The block in which it was first seen. */
  block: number;
}

/** Numbers the wallets of the evidence, in their order. */
export function toEdges(evidence: readonly Evidence[]): { wallets: string[]; edges: EdgeList } {
  const indexOf = new Map<string, number>();
  const number = (wallet: string): number => {
    const known = indexOf.get(wallet);
    if (known !== undefined) return known;
    indexOf.set(wallet, indexOf.size);
    return indexOf.size - 1;
  };
  const edges: EdgeList = {
    from: new Uint32Array(evidence.length),
    to: new Uint32Array(evidence.length),
    weight: new Float64Array(evidence.length),
  };
  evidence.forEach(({ a, b, weight }, at) => {
    edges.from[at] = number(a);
    edges.to[at] = number(b);
    edges.weight[at] = weight;
  });
  return { wallets: [...indexOf.keys()], edges };
}
