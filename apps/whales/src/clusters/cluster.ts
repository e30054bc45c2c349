import type { Evidence } from '@plimsoll/whale-clusters';

/** Evidence on a chain. */
export interface ChainEvidence extends Evidence {
  chainId: number;
}

/** Wallets that belong together, as they are stored. */
export interface Cluster {
  /** Net value of each wallet's positions, USD. */
  valueUsd: ReadonlyMap<string, number>;
  totalValueUsd: number;
  dominantProtocol: string;
  evidence: readonly ChainEvidence[];
}
