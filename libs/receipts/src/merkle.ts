/** SHA-256, of whichever library the caller has. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** Different prefixes keep an inner node from serving as a leaf. */
const LEAF = 0;
const NODE = 1;

/** The Merkle tree of RFC 6962 over entries in their order: its root, and proofs about it. */
export class MerkleTree {
  private readonly leaves: readonly Uint8Array[];

  constructor(
    private readonly sha256: Sha256,
    entries: readonly Uint8Array[],
  ) {
    this.leaves = entries.map((entry) => leafHash(sha256, entry));
  }

  /** The root of all entries, or of the first ones. */
  root(size = this.leaves.length): Uint8Array {
    return this.rootOf(0, size);
  }

  /** The nodes that give the root together with one entry. */
  inclusionProof(index: number): Uint8Array[] {
    return this.pathOf(index, 0, this.leaves.length);
  }

  /** The nodes that give both the root of the first entries and that of all. */
  consistencyProof(size: number): Uint8Array[] {
    return size === 0 ? [] : this.subproof(size, 0, this.leaves.length, true);
  }

  private rootOf(from: number, to: number): Uint8Array {
    if (to === from) return this.sha256(new Uint8Array());
    if (to - from === 1) return this.leaves[from]!;
    const middle = from + leftSize(to - from);
    return nodeHash(this.sha256, this.rootOf(from, middle), this.rootOf(middle, to));
  }

  private pathOf(index: number, from: number, to: number): Uint8Array[] {
    if (to - from <= 1) return [];
    const middle = from + leftSize(to - from);
    return index < middle
      ? [...this.pathOf(index, from, middle), this.rootOf(middle, to)]
      : [...this.pathOf(index, middle, to), this.rootOf(from, middle)];
  }

  /** @param isKnown whether the verifier has the root of these entries, because it is the earlier one */
  private subproof(end: number, from: number, to: number, isKnown: boolean): Uint8Array[] {
    if (end === to) return isKnown ? [] : [this.rootOf(from, to)];
    const middle = from + leftSize(to - from);
    return end <= middle
      ? [...this.subproof(end, from, middle, isKnown), this.rootOf(middle, to)]
      : [...this.subproof(end, middle, to, false), this.rootOf(from, middle)];
  }
}

/** Whether the root of `size` entries has this entry at the index (RFC 9162, 2.1.3.2). */
export function isIncluded(
  sha256: Sha256,
  { entry, index, size, root }: { entry: Uint8Array; index: number; size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (index < 0 || index >= size) return false;
  let [at, last] = [index, size - 1];
  let hash = leafHash(sha256, entry);
  for (const sibling of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sha256, sibling, hash);
      for (; at % 2 === 0 && at !== 0; last = half(last)) at = half(at);
    } else hash = nodeHash(sha256, hash, sibling);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isSame(hash, root);
}

/** Whether the entries of the earlier root are the first ones of the later root (RFC 9162, 2.1.4.2). */
export function isConsistent(
  sha256: Sha256,
  earlier: { size: number; root: Uint8Array },
  later: { size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (earlier.size > later.size || earlier.size < 0) return false;
  if (earlier.size === later.size) return proof.length === 0 && isSame(earlier.root, later.root);
  if (earlier.size === 0) return proof.length === 0 && isSame(earlier.root, sha256(new Uint8Array()));
  let [at, last] = [earlier.size - 1, later.size - 1];
  for (; at % 2 === 1; last = half(last)) at = half(at);
  // The earlier root is itself a node of the later tree, and the proof leaves it out.
  const [first, ...rest] = at === 0 ? [earlier.root, ...proof] : proof;
  if (!first) return false;
  let [before, after] = [first, first];
  for (const node of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      [before, after] = [nodeHash(sha256, node, before), nodeHash(sha256, node, after)];
      for (; at % 2 === 0 && at !== 0; last = half(last)) at = half(at);
    } else after = nodeHash(sha256, after, node);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isSame(before, earlier.root) && isSame(after, later.root);
}

/** The entries of the left branch: the largest power of two below the size. */
function leftSize(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

const half = (value: number): number => Math.floor(value / 2);
const leafHash = (sha256: Sha256, entry: Uint8Array): Uint8Array => sha256(Uint8Array.of(LEAF, ...entry));
const nodeHash = (sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(Uint8Array.of(NODE, ...left, ...right));
const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);
