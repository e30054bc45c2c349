import type { PositionV1, StreamPosition } from '@plimsoll/contracts';
import { streamPosition } from './stream-data';

interface Known {
  sequence: number;
  closed: boolean;
  data: StreamPosition;
}

/** The latest state of every position, from position.v1. */
export class Positions {
  private readonly byId = new Map<string, Known>();
  private readonly idsByWallet = new Map<string, Set<string>>();

  /** Returns the state for streams, or null for an event that was seen before or is older. */
  apply(event: PositionV1): StreamPosition | null {
    const { id, wallet, sequence, closed } = event;
    // A closed position stays with its sequence, so that a repeated older event cannot reopen it.
    if (sequence <= (this.byId.get(id)?.sequence ?? 0)) return null;
    const data = streamPosition(event);
    this.byId.set(id, { sequence, closed, data });
    const ids = this.idsByWallet.get(wallet);
    if (ids) ids.add(id);
    else this.idsByWallet.set(wallet, new Set([id]));
    return data;
  }

  /** Returns null for an unknown or closed position. */
  open(id: string): StreamPosition | null {
    const known = this.byId.get(id);
    return known && !known.closed ? known.data : null;
  }

  idsOf(wallet: string): Iterable<string> {
    return this.idsByWallet.get(wallet) ?? [];
  }
}
