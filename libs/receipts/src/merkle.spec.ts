import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  isIncluded,
  leafBytes,
  rootOfNodes,
  rootOfSubtrees,
  subtreesOf,
} from './merkle';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Buffer.from(text, 'hex');

/** A tree in memory. */
function treeOf(entries: readonly Uint8Array[]) {
  const leaves = entries.map((entry) => sha256(leafBytes(entry)));
  const root = (size = leaves.length): Uint8Array => rootOfNodes(sha256, leaves.slice(0, size));
  const roots = (ranges: ReturnType<typeof inclusionRanges>): Uint8Array[] =>
    ranges.map(({ from, to }) => rootOfNodes(sha256, leaves.slice(from, to)));
  return {
    leaves,
    root,
    inclusionProof: (index: number) => roots(inclusionRanges(index, leaves.length)),
    consistencyProof: (size: number) => roots(consistencyRanges(size, leaves.length)),
  };
}

/** The entries and roots with which Certificate Transparency tests its logs. */
const ENTRIES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const entries = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 70 });
const place = fc.nat();
/** A change of a proof: one node is another, missing, or there twice. */
const damage = fc.tuple(fc.constantFrom('change', 'remove', 'repeat'), place);

function damaged(proof: readonly Uint8Array[], [how, at]: readonly [string, number]): Uint8Array[] {
  if (proof.length === 0) return [sha256(Uint8Array.of(at % 256))];
  const index = at % proof.length;
  const node = proof[index]!;
  const nodes = { change: [sha256(node)], remove: [], repeat: [node, node] }[how]!;
  return [...proof.slice(0, index), ...nodes, ...proof.slice(index + 1)];
}

describe('the Merkle tree of receipts', () => {
  it('has the roots of Certificate Transparency', () => {
    const tree = treeOf(ENTRIES.map(bytes));
    expect(ROOTS.map((_, index) => hex(tree.root(index + 1)))).toEqual(ROOTS);
  });

  it('has the same root for a range and for the subtrees of it', () => {
    fc.assert(
      fc.property(entries, place, (list, at) => {
        const { leaves } = treeOf(list);
        const ranges = [
          { from: 0, to: list.length },
          ...inclusionRanges(at % list.length, list.length),
          ...consistencyRanges(at % (list.length + 1), list.length),
        ];
        for (const range of ranges) {
          const hashes = subtreesOf(range).map(({ level, index }) =>
            rootOfNodes(sha256, leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)),
          );
          expect(hex(rootOfSubtrees(sha256, hashes))).toBe(
            hex(rootOfNodes(sha256, leaves.slice(range.from, range.to))),
          );
        }
      }),
    );
  });

  it('proves that it has an entry, and no other one at the place', async () => {
    await fc.assert(
      fc.asyncProperty(entries, place, damage, async (list, at, change) => {
        const tree = treeOf(list);
        const [index, size] = [at % list.length, list.length];
        const leaf = tree.leaves[index]!;
        const proof = tree.inclusionProof(index);
        const statement = { leaf, index, size, root: tree.root() };
        expect(proof.length).toBeLessThanOrEqual(Math.ceil(Math.log2(size)));
        expect(await isIncluded(sha256, statement, proof)).toBe(true);
        expect(await isIncluded(sha256, statement, damaged(proof, change))).toBe(false);
        for (const wrong of [{ leaf: sha256(leaf) }, { root: sha256(leaf) }, { index: size }, { index: -1 }])
          expect(await isIncluded(sha256, { ...statement, ...wrong }, proof)).toBe(false);
      }),
    );
  });

  it('proves that an earlier tree is its beginning, and refuses one whose past was changed', async () => {
    await fc.assert(
      fc.asyncProperty(entries, place, place, damage, async (list, at, changedAt, change) => {
        const tree = treeOf(list);
        const size = 1 + (at % list.length);
        const earlier = { size, root: tree.root(size) };
        const later = { size: list.length, root: tree.root() };
        const proof = tree.consistencyProof(size);
        expect(await isConsistent(sha256, earlier, later, proof)).toBe(true);
        expect(await isConsistent(sha256, earlier, later, damaged(proof, change))).toBe(false);
        for (const wrong of [0, -1, later.size + 1])
          expect(await isConsistent(sha256, { ...earlier, size: wrong }, later, proof)).toBe(false);
        fc.pre(hex(list[changedAt % size]!) !== 'ffff');
        const other = treeOf(list.with(changedAt % size, Uint8Array.of(0xff, 0xff)));
        const dishonest = { size: list.length, root: other.root() };
        expect(await isConsistent(sha256, earlier, dishonest, other.consistencyProof(size))).toBe(false);
        expect(await isConsistent(sha256, earlier, dishonest, proof)).toBe(false);
      }),
    );
  });
});
