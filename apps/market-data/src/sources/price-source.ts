import type { PriceSource as SourceName } from '@plimsoll/contracts';

/** What a source says of one asset. */
export interface Quote {
  asset: string;
  /** USD with 18 decimals. */
  priceRaw: bigint;
  /** When the source says that this was the price, milliseconds since 1970. */
  observedAtMs: number;
  /** USD; null where the source does not say. */
  marketCapUsd: number | null;
  /** Percent over 24 hours; null where the source does not say. */
  change24h: number | null;
}

/** One look at a source. */
export interface SourceReading {
  quotes: Quote[];
  /** The chain of the feeds does not take transactions, or did not until a short while ago. */
  isSequencerDown: boolean;
}

/** Somewhere prices come from. */
export interface PriceSource {
  readonly name: SourceName;
  /** Of on-chain feeds. */
  readonly chainId: number | null;
  readonly pollMs: number;
  /** The longest silence that is usual for an asset, milliseconds; undefined for an asset that this source does not have. */
  heartbeatMs(asset: string): number | undefined;
  /** One look at all of its assets. Rejects when nothing could be read; a single asset that fails is left out. */
  read(signal: AbortSignal): Promise<SourceReading>;
}
