import type { Evidence } from '@plimsoll/whale-clusters';

/** Evidence on a chain. */
export interface ChainEvidence extends Evidence {
  chainId: number;
}

/** Stored wallets that probably have one owner. */
export interface Cluster {
  /** Net value of each wallet's positions, USD. */
  valueUsd: ReadonlyMap<string, number>;
  totalValueUsd: number;
  dominantProtocol: string;
  evidence: readonly ChainEvidence[];
}
