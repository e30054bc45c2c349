import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import type { ClaimedRow } from './claimed-delivery';

/** Bounds the memory, as characters of bodies. */
const MAX_CHARACTERS = 16 * 1_024 * 1_024;
/** Each claim names them all; a lease holds up to 256 deliveries, but one where little comes at a time. */
const MAX_LEASES = 256;
/** What nobody claimed by then is most likely with another instance, or its endpoint became slow. */
const KEEP_MS = 60_000;

interface Remembered {
  rows: ClaimedRow[];
  untilMs: number;
  characters: number;
}

/**
 * Deliveries that were made by this process and wait under leases that nobody holds: whoever claims such a lease need
 * not read them again. The lease's row says whether they still wait; until then nothing of them changes.
 */
@Injectable()
export class WaitingHere {
  readonly #leases = new Map<string, Remembered>();
  #characters = 0;

  constructor(private readonly clock: Clock) {}

  /** To be called once they are committed. What comes first is claimed first, so it is what comes last that has no room. */
  remember(leaseId: string, rows: ClaimedRow[]): void {
    if (this.#leases.size >= MAX_LEASES) return;
    const characters = rows.reduce((sum, { body }) => sum + body.length, 0);
    if (this.#characters + characters > MAX_CHARACTERS) return;
    this.#characters += characters;
    this.#leases.set(leaseId, { rows, untilMs: this.clock.now() + KEEP_MS, characters });
  }

  /** Ids of the leases that need not be read; `take` has them until it is asked again. */
  leaseIds(): string[] {
    const nowMs = this.clock.now();
    for (const [leaseId, { untilMs }] of this.#leases) {
      if (untilMs > nowMs) break;
      this.take(leaseId);
    }
    return [...this.#leases.keys()];
  }

  /** The deliveries of a lease, once. */
  take(leaseId: string): ClaimedRow[] {
    const remembered = this.#leases.get(leaseId);
    if (!remembered) return [];
    this.#leases.delete(leaseId);
    this.#characters -= remembered.characters;
    return remembered.rows;
  }
}
