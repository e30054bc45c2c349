import { EVIDENCE_WEIGHT, type Evidence } from './evidence';

/** A wallet that permits another to act for it. */
export interface Delegation {
  wallet: string;
  delegate: string;
  block: number;
}

/** A delegate of more wallets is a service: a bundler, an automation, a vault. */
const MOST_SERVED = 20;

/** Wallets that share a delegate, and the delegate itself. */
export function sharedDelegateEvidence(delegations: readonly Delegation[]): Evidence[] {
  const served = new Map<string, Map<string, number>>();
  for (const { wallet, delegate, block } of delegations) {
    const wallets = served.get(delegate) ?? new Map<string, number>();
    served.set(delegate, wallets.set(wallet, block));
  }
  return [...served]
    .filter(([, wallets]) => wallets.size <= MOST_SERVED)
    .flatMap(([delegate, wallets]) =>
      pairsOf([delegate, ...wallets.keys()]).map(([a, b]): Evidence => ({
        a,
        b,
        kind: 'delegate',
        weight: EVIDENCE_WEIGHT.delegate,
        block: Math.max(wallets.get(a) ?? 0, wallets.get(b) ?? 0),
      })),
    );
}

function pairsOf(wallets: readonly string[]): [string, string][] {
  return wallets.flatMap((a, at) => wallets.slice(at + 1).map((b): [string, string] => [a, b]));
}
