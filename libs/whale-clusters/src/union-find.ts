/** Groups of numbers below `size`, joined pair by pair. */
export class UnionFind {
  private readonly parent: Uint32Array;

  constructor(size: number) {
    this.parent = Uint32Array.from({ length: size }, (_, node) => node);
  }

  find(node: number): number {
    let root = node;
    while (this.parent[root] !== root) root = this.parent[root]!;
    for (let at = node; at !== root;) {
      const next = this.parent[at]!;
      this.parent[at] = root;
      at = next;
    }
    return root;
  }

  /** The lower root stays: the outcome does not depend on the order of the pairs. */
  join(a: number, b: number): void {
    const [first, second] = [this.find(a), this.find(b)];
    if (first === second) return;
    this.parent[Math.max(first, second)] = Math.min(first, second);
  }

  /** The group of each number, groups numbered from 0 in the order of their lowest member. */
  groups(): { groupOf: Uint32Array; count: number } {
    const groupOf = new Uint32Array(this.parent.length);
    const numberOf = new Map<number, number>();
    for (let node = 0; node < groupOf.length; node += 1) {
      const root = this.find(node);
      const known = numberOf.get(root);
      if (known === undefined) numberOf.set(root, numberOf.size);
      groupOf[node] = known ?? numberOf.size - 1;
    }
    return { groupOf, count: numberOf.size };
  }
}
