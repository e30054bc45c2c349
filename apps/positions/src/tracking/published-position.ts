import type { PositionV1 } from '@plimsoll/contracts';

/** A position as of its last event. The next change is measured against it. */
export interface PublishedPosition {
  event: PositionV1;
  /** Health factor (wad) of the last material event. Null without debt. */
  materialHealthFactorRaw: bigint | null;
  /** Lowest block that a reorg removed since the event. Absent: none. */
  orphanedFrom?: number;
}

/** Wad of an event or row. Null without debt. */
export function wadOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
