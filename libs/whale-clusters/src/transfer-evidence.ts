import { EVIDENCE_WEIGHT, type Evidence } from './evidence';

/** A transfer of tokens from one address to another. */
export interface TokenTransfer {
  from: string;
  to: string;
  /** Null: not known. */
  usd: number | null;
  block: number;
}

export interface TransferEvidenceOptions {
  /** The least amount of first tokens, and of tokens both ways, in USD. An unknown value counts as enough. */
  floorUsd: number;
  /**
   * Addresses that are not wallets (protocols, the zero address). Their payments fund a wallet and join it to
   * no other.
   */
  noWallets: ReadonlySet<string>;
}

/**
 * The evidence of transfers: the first funder of each wallet, and pairs with transfers both ways.
 * @param transfers oldest first
 */
export function transferEvidence(
  transfers: readonly TokenTransfer[],
  { floorUsd, noWallets }: TransferEvidenceOptions,
): Evidence[] {
  const funder = new Map<string, { by: string; block: number }>();
  const sent = new Map<string, Map<string, { usd: number; block: number }>>();
  for (const { from, to, usd, block } of transfers) {
    if (from === to) continue;
    // Any wallet can send a small amount to another.
    const isEnough = usd === null || usd >= floorUsd;
    // A wallet that sent before it received was funded before these transfers begin.
    if (isEnough && !sent.has(to) && !funder.has(to)) funder.set(to, { by: from, block });
    const targets = sent.get(from) ?? new Map<string, { usd: number; block: number }>();
    const before = targets.get(to) ?? { usd: 0, block };
    sent.set(from, targets.set(to, { ...before, usd: before.usd + (usd ?? floorUsd) }));
  }
  const evidence = [...funder]
    .filter(([, { by }]) => !noWallets.has(by))
    .map(([wallet, { by, block }]): Evidence => ({
      a: by,
      b: wallet,
      kind: 'first_funder',
      weight: EVIDENCE_WEIGHT.first_funder,
      block,
    }));
  for (const [a, targets] of sent) {
    for (const [b, there] of targets) {
      const back = sent.get(b)?.get(a);
      if (noWallets.has(a) || noWallets.has(b)) continue;
      if (a < b && back && Math.min(there.usd, back.usd) >= floorUsd) {
        const block = Math.max(there.block, back.block);
        evidence.push({ a, b, kind: 'mutual_transfers', weight: EVIDENCE_WEIGHT.mutual_transfers, block });
      }
    }
  }
  return evidence;
}
