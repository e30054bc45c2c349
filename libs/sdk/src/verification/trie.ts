import type { Hex } from 'viem';
import { fromRlp, keccak256 } from 'viem/utils';

type Rlp = Hex | readonly Rlp[];

const BRANCH = 17;
const SHORT = 2;
const NOTHING = '0x';
const IS_ODD = 1;
const IS_LEAF = 2;
/** The root of a trie without entries. Nodes prove it with no node at all. */
const EMPTY_ROOT = keccak256('0x80');

/** Nodes that do not lead from a root to a key. */
export class InvalidNodes extends Error {
  override readonly name = 'InvalidNodes';
}

/**
 * The value of a key in a Merkle-Patricia trie, by the nodes from its root to the key. Null: the nodes prove that the trie
 * has no such key. Each node must have the hash that the node before it states, and no node may be left over.
 * @throws InvalidNodes
 */
export function provenValue(root: Hex, key: Hex, nodes: readonly Hex[]): Hex | null {
  if (root === EMPTY_ROOT && nodes.length === 0) return null;
  const path = keccak256(key).slice(2);
  let used = 0;
  let depth = 0;
  let next: Rlp = root;
  const walk = (): Rlp | null => {
    for (;;) {
      const node: Rlp = typeof next === 'object' ? next : decoded(nodes[used], next, used++);
      if (node === NOTHING) return null;
      if (typeof node === 'string') throw new InvalidNodes(`node ${used - 1} has no form of a node`);
      if (node.length === BRANCH) {
        next = node[Number.parseInt(path[depth++] ?? '', 16)] ?? NOTHING;
        if (next === NOTHING) return null;
      } else {
        const [part, rest] = node;
        if (node.length !== SHORT || typeof part !== 'string' || rest === undefined)
          throw new InvalidNodes(`node ${used - 1} has no form of a node`);
        const kind = Number.parseInt(part[2] ?? '', 16);
        const digits = part.slice(kind & IS_ODD ? 3 : 4);
        if (!path.startsWith(digits, depth)) return null;
        depth += digits.length;
        if (kind & IS_LEAF) return rest;
        next = rest;
      }
    }
  };
  const value = walk();
  if (used !== nodes.length) throw new InvalidNodes(`${nodes.length} nodes, of which the path has ${used}`);
  if (typeof value === 'object' && value !== null) throw new InvalidNodes('the value is a list');
  return value;
}

function decoded(node: Hex | undefined, hash: Hex, index: number): Rlp {
  if (node === undefined) throw new InvalidNodes(`node ${index} is missing`);
  if (keccak256(node) !== hash) throw new InvalidNodes(`node ${index} has not the hash ${hash}`);
  return fromRlp(node) as Rlp;
}
