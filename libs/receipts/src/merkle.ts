/** SHA-256, of whichever library the caller has. */
export type Sha256 = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array;

/** SHA-256 of a caller that may have to wait for it, as in a browser. */
export type AnySha256 = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>;

/** Consecutive entries of a log: those from `from` on, before `to`. */
export interface Range {
  from: number;
  to: number;
}

/** A complete subtree: the one at `index` among those with 2^level entries. */
export interface Subtree {
  level: number;
  index: number;
}

/** A tree as its signer states it. */
export interface TreeHead {
  size: number;
  root: Uint8Array;
}

/** Different prefixes keep an inner node from serving as a leaf. */
const LEAF = 0;
const NODE = 1;

/** The hashed form of an entry. */
export const leafBytes = (entry: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.of(LEAF, ...entry);
const nodeBytes = (left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.of(NODE, ...left, ...right);

/** The ranges whose roots prove one entry (RFC 6962, 2.1.1), in the order of the proof. */
export function inclusionRanges(index: number, size: number): Range[] {
  const path = (from: number, to: number): Range[] => {
    if (to - from <= 1) return [];
    const middle = from + leftSize(to - from);
    return index < middle
      ? [...path(from, middle), { from: middle, to }]
      : [...path(middle, to), { from, to: middle }];
  };
  return path(0, size);
}

/** The ranges whose roots prove that a tree begins with an earlier one (RFC 6962, 2.1.2), in the order of the proof. */
export function consistencyRanges(earlier: number, later: number): Range[] {
  // The verifier knows the root of the earlier tree, so the proof leaves that one out.
  const path = (from: number, to: number, isKnown: boolean): Range[] => {
    if (earlier === to) return isKnown ? [] : [{ from, to }];
    const middle = from + leftSize(to - from);
    return earlier <= middle
      ? [...path(from, middle, isKnown), { from: middle, to }]
      : [...path(middle, to, false), { from, to: middle }];
  };
  return earlier === 0 ? [] : path(0, later, true);
}

/** The complete subtrees of a range of a proof, largest first. */
export function subtreesOf({ from, to }: Range): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = from; at < to;) {
    let level = 0;
    while (2 ** (level + 1) <= to - at) level += 1;
    subtrees.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return subtrees;
}

/** The root of the subtrees of a range, from the hashes of those. */
export function rootOfSubtrees(sha256: Sha256, hashes: readonly Uint8Array[]): Uint8Array {
  return hashes.reduceRight((right, left) => sha256(nodeBytes(left, right)));
}

/** The root of consecutive nodes of one level. */
export function rootOfNodes(sha256: Sha256, hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 1) return hashes[0]!;
  const left = leftSize(hashes.length);
  return sha256(
    nodeBytes(rootOfNodes(sha256, hashes.slice(0, left)), rootOfNodes(sha256, hashes.slice(left))),
  );
}

/** Whether a tree has this leaf at the index (RFC 9162, 2.1.3.2). */
export async function isIncluded(
  sha256: AnySha256,
  { leaf, index, size, root }: TreeHead & { leaf: Uint8Array; index: number },
  proof: readonly Uint8Array[],
): Promise<boolean> {
  if (index < 0 || index >= size) return false;
  let [at, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = await sha256(nodeBytes(sibling, hash));
      for (; at % 2 === 0 && at !== 0; last = half(last)) at = half(at);
    } else hash = await sha256(nodeBytes(hash, sibling));
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isSame(hash, root);
}

/** Whether the entries of the earlier tree are the first ones of the later tree (RFC 9162, 2.1.4.2). */
export async function isConsistent(
  sha256: AnySha256,
  earlier: TreeHead,
  later: TreeHead,
  proof: readonly Uint8Array[],
): Promise<boolean> {
  if (earlier.size < 1 || earlier.size > later.size) return false;
  if (earlier.size === later.size) return proof.length === 0 && isSame(earlier.root, later.root);
  let [at, last] = [earlier.size - 1, later.size - 1];
  for (; at % 2 === 1; last = half(last)) at = half(at);
  // The earlier root is itself a node of the later tree, and the proof leaves it out.
  const [first, ...rest] = at === 0 ? [earlier.root, ...proof] : proof;
  if (!first) return false;
  let [before, after] = [first, first];
  for (const node of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      [before, after] = [await sha256(nodeBytes(node, before)), await sha256(nodeBytes(node, after))];
      for (; at % 2 === 0 && at !== 0; last = half(last)) at = half(at);
    } else after = await sha256(nodeBytes(after, node));
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
const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);
