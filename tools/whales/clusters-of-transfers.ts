import { derivedId } from '@plimsoll/contracts';
import { seededRandom } from '@plimsoll/devnet';
import {
  DEFAULT_OPTIONS,
  clusterWallets,
  toEdges,
  transferEvidence,
  type Evidence,
  type TokenTransfer,
} from '@plimsoll/whale-clusters';

const SEED = 1;
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
/** A transfer with a known value below this is not evidence. */
const FLOOR_USD = 1;

/** The printed result. */
export interface ClustersResult {
  clusters: {
    id: string;
    walletCount: number;
    wallets: string[];
    evidence: Pick<Evidence, 'kind' | 'a' | 'b' | 'weight'>[];
  }[];
  /** Addresses with too many counterparties to belong to any cluster. */
  hubs: string[];
  transfers: number;
}

/** @param transfers oldest first */
export function clustersOfTransfers(transfers: readonly TokenTransfer[]): ClustersResult {
  const counterparties = new Map<string, Set<string>>();
  const note = (a: string, b: string): void => {
    counterparties.set(a, (counterparties.get(a) ?? new Set()).add(b));
  };
  for (const { from, to } of transfers) {
    note(from, to);
    note(to, from);
  }
  const { hubDegree } = DEFAULT_OPTIONS;
  const hubs = [...counterparties]
    .filter(([, others]) => others.size > hubDegree)
    .map(([address]) => address);
  const noWallets = new Set([ZERO_ADDRESS, ...hubs]);
  const evidence = transferEvidence(transfers, { floorUsd: FLOOR_USD, noWallets });
  const { wallets, edges } = toEdges(evidence);
  const { clusterOf, count } = clusterWallets(wallets.length, edges, seededRandom(SEED));
  const clusters = Array.from({ length: count }, () => ({
    wallets: [] as string[],
    evidence: [] as Pick<Evidence, 'kind' | 'a' | 'b' | 'weight'>[],
  }));
  wallets.forEach((wallet, at) => clusters[clusterOf[at]!]?.wallets.push(wallet));
  evidence.forEach(({ kind, a, b, weight }, at) => {
    const [first, second] = [clusterOf[edges.from[at]!]!, clusterOf[edges.to[at]!]!];
    if (first === second) clusters[first]?.evidence.push({ kind, a, b, weight });
  });
  return {
    clusters: clusters
      .map(({ wallets: members, evidence: inside }) => ({
        id: derivedId('wc', ...members.sort()),
        walletCount: members.length,
        wallets: members,
        evidence: inside,
      }))
      .sort((a, b) => b.walletCount - a.walletCount || a.id.localeCompare(b.id)),
    hubs: hubs.sort(),
    transfers: transfers.length,
  };
}
