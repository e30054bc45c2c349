import type { PriceSource as SourceName } from '@plimsoll/contracts';

/** The quote of one asset from a source. */
export interface Quote {
  asset: string;
  /** USD with 18 decimals. */
  priceRaw: bigint;
  /** The time that the source states for this price, milliseconds since 1970. */
  observedAtMs: number;
  /** USD. Null when the source does not state it. */
  marketCapUsd: number | null;
  /** Percent over 24 hours. Null when the source does not state it. */
  change24h: number | null;
}

/** One reading of a source. */
export interface SourceReading {
  quotes: Quote[];
  /** The chain of the feeds accepts no transactions, or did not until recently. */
  isSequencerDown: boolean;
}

/** A source of prices. */
export interface PriceSource {
  readonly name: SourceName;
  /** Chain of on-chain feeds. Null for an API. */
  readonly chainId: number | null;
  readonly pollMs: number;
  /**
   * Returns the longest usual time between updates of an asset in milliseconds, or undefined when the source
   * lacks the asset.
   */
  heartbeatMs(asset: string): number | undefined;
  /** Reads all of its assets. Rejects when nothing could be read. A single failing asset is omitted. */
  read(signal: AbortSignal): Promise<SourceReading>;
}
