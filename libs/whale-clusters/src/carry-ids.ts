/** A cluster with an id. */
export interface KnownCluster {
  id: string;
  wallets: readonly string[];
}

/**
 * The id of each new cluster: that of the known one with which it shares most wallets, each id once, the
 * largest overlap first. A cluster keeps its id while it exists. When clusters merge, the larger one's id
 * stays, and when one splits, the larger part keeps it. Clusters that share nothing with a known one get a
 * new id.
 * @param clusters wallets of each cluster; a wallet is in one at most
 */
export function carryIds(
  known: readonly KnownCluster[],
  clusters: readonly (readonly string[])[],
  newId: () => string,
): string[] {
  const before = new Map<string, number>();
  known.forEach(({ wallets }, at) => wallets.forEach((wallet) => before.set(wallet, at)));
  const overlaps = clusters.flatMap((wallets, cluster) => {
    const shared = new Map<number, number>();
    for (const wallet of wallets) {
      const at = before.get(wallet);
      if (at !== undefined) shared.set(at, (shared.get(at) ?? 0) + 1);
    }
    return [...shared].map(([from, count]) => ({ from, cluster, count }));
  });
  overlaps.sort(
    (a, b) =>
      b.count - a.count ||
      (known[b.from]?.wallets.length ?? 0) - (known[a.from]?.wallets.length ?? 0) ||
      (known[a.from]?.id ?? '').localeCompare(known[b.from]?.id ?? '') ||
      a.cluster - b.cluster,
  );
  const ids = new Map<number, string>();
  const taken = new Set<number>();
  for (const { from, cluster } of overlaps) {
    const id = known[from]?.id;
    if (id === undefined || taken.has(from) || ids.has(cluster)) continue;
    ids.set(cluster, id);
    taken.add(from);
  }
  return clusters.map((_, cluster) => ids.get(cluster) ?? newId());
}
