import { seededRandom } from '@plimsoll/devnet';
import { EVIDENCE_WEIGHT, type EdgeList, type EvidenceKind } from '@plimsoll/whale-clusters';

/** Wallets with known families. */
export interface Planted {
  size: number;
  edges: EdgeList;
  /** Family of each wallet. −1: none. */
  familyOf: Int32Array;
}

/** The planted families and noise. */
export interface PlantedOptions {
  wallets: number;
  /** Number of all edges. Null: the natural number of families of this kind. */
  edges: number | null;
  /** Share of the edges that join strangers. */
  noiseShare: number;
  /** Share of the wallets that have no family. */
  lonelyShare: number;
  /** Hubs with so many wallets each. */
  hubs: { count: number; wallets: number };
}

const [SMALLEST, LARGEST] = [2, 50];
/** The exponent of family sizes: P(size > s) falls with s to this power. */
const TAIL = 1.2;
/** The evidence between members of a family beside the funder, and its frequency. */
const INNER: readonly [EvidenceKind, number][] = [
  ['mutual_transfers', 0.3],
  ['same_block', 0.2],
  ['synchronous', 0.1],
  ['position_transfer', 0.2],
  ['acting_for', 0.1],
  ['delegate', 0.1],
];
/**
 * The evidence between strangers: payments both ways, random coincidences in a block, sometimes a sold
 * position.
 */
const CHANCE: readonly [EvidenceKind, number][] = [
  ['same_block', 0.45],
  ['synchronous', 0.1],
  ['mutual_transfers', 0.4],
  ['position_transfer', 0.05],
];

/** Families of heavy-tailed sizes, noise between strangers, and hubs that fund every wallet. */
export function plant(seed: number, options: PlantedOptions): Planted {
  const random = seededRandom(seed);
  const { wallets, noiseShare, lonelyShare, hubs } = options;
  const size = wallets + hubs.count;
  const familyOf = new Int32Array(size).fill(-1);
  const list: [number, number, number][] = [];
  const pick = (count: number): number => Math.floor(random() * count);
  const families: number[][] = [];
  let placed = 0;
  while (placed < wallets * (1 - lonelyShare)) {
    const first = placed;
    const members = Array.from({ length: familySize(random) }, (_, at) => first + at).filter(
      (each) => each < wallets,
    );
    placed += members.length;
    for (const wallet of members) familyOf[wallet] = families.length;
    families.push(members);
  }
  for (const [funder, ...funded] of families) {
    for (const wallet of funded) list.push([funder!, wallet, EVIDENCE_WEIGHT.first_funder]);
  }
  const hubEdges = hubs.count * hubs.wallets;
  const total = options.edges ?? Math.round((list.length * 2) / (1 - noiseShare)) + hubEdges;
  const noise = Math.round(total * noiseShare);
  const pairs = families.filter((members) => members.length > 1);
  const inner = total - noise - hubEdges - list.length;
  // The larger a family, the more evidence exists between its members.
  const weights = cumulative(pairs.map((members) => members.length));
  for (let at = 0; at < inner; at += 1) {
    const members = pairs[drawn(weights, random)]!;
    const a = pick(members.length);
    const b = (a + 1 + pick(members.length - 1)) % members.length;
    list.push([members[a]!, members[b]!, weightOf(INNER, random)]);
  }
  for (let at = 0; at < noise; at += 1) list.push([pick(wallets), pick(wallets), weightOf(CHANCE, random)]);
  for (let hub = wallets; hub < size; hub += 1) {
    for (let at = 0; at < hubs.wallets; at += 1)
      list.push([hub, pick(wallets), EVIDENCE_WEIGHT.first_funder]);
  }
  return {
    size,
    familyOf,
    edges: {
      from: Uint32Array.from(list, ([a]) => a),
      to: Uint32Array.from(list, ([, b]) => b),
      weight: Float64Array.from(list, ([, , weight]) => weight),
    },
  };
}

function familySize(random: () => number): number {
  return Math.min(LARGEST, Math.floor(SMALLEST * (1 - random()) ** (-1 / TAIL)));
}

function weightOf(kinds: readonly [EvidenceKind, number][], random: () => number): number {
  let left = random();
  for (const [kind, share] of kinds) {
    left -= share;
    if (left <= 0) return EVIDENCE_WEIGHT[kind];
  }
  return EVIDENCE_WEIGHT[kinds[0]![0]];
}

function cumulative(weights: readonly number[]): Float64Array {
  let sum = 0;
  return Float64Array.from(weights, (weight) => (sum += weight));
}

function drawn(sums: Float64Array, random: () => number): number {
  const wanted = random() * (sums.at(-1) ?? 0);
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Over pairs of wallets: the share of joined pairs that are of one family, and the share of family pairs that
 * were found.
 */
export function scorePairs(
  familyOf: Int32Array,
  clusterOf: Int32Array,
): { precision: number; recall: number } {
  const [families, clusters, both] = [
    new Map<number, number>(),
    new Map<number, number>(),
    new Map<string, number>(),
  ];
  const count = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  familyOf.forEach((family, wallet) => {
    const cluster = clusterOf[wallet]!;
    if (family >= 0) count(families, family);
    if (cluster >= 0) count(clusters, cluster);
    if (family >= 0 && cluster >= 0) count(both, `${family} ${cluster}`);
  });
  const pairs = (counts: Map<unknown, number>): number =>
    [...counts.values()].reduce((sum, each) => sum + (each * (each - 1)) / 2, 0);
  return { precision: pairs(both) / pairs(clusters), recall: pairs(both) / pairs(families) };
}
