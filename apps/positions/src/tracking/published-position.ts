import type { PositionV1 } from '@plimsoll/contracts';

/** A position as of its last event: what the next change is measured against. */
export interface PublishedPosition {
  event: PositionV1;
  /** Health factor (wad) of the last material event; null without debt. */
  materialHealthFactorRaw: bigint | null;
  /** Lowest block that a reorg removed since the event; absent: none. */
  orphanedFrom?: number;
}

/** Wad of an event or row; null without debt. */
export function wadOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
