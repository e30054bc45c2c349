import { Injectable } from '@nestjs/common';
import { Clock } from '@plimsoll/service-kit';
import type { ClaimedRow } from './claimed-delivery';

/** Bounds the memory, in characters of bodies. */
const MAX_CHARACTERS = 16 * 1_024 * 1_024;
/** Each claim sends all their ids. A lease has up to 256 deliveries, or one when few arrive at a time. */
const MAX_LEASES = 256;
/** After this time another instance has probably claimed the lease, or its endpoint became slow. */
const KEEP_MS = 60_000;

interface CachedLease {
  rows: ClaimedRow[];
  untilMs: number;
  characters: number;
}

/**
 * Caches deliveries that this process inserted and that wait under leases that no process holds. A claim of
 * such a lease need not read them again. The lease's row states whether they still wait, and they do not
 * change until then.
 */
@Injectable()
export class LocalLeaseCache {
  readonly #leases = new Map<string, CachedLease>();
  #characters = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * Call it after the commit. The oldest deliveries are claimed first, so the newest are dropped when the
   * cache is full.
   */
  remember(leaseId: string, rows: ClaimedRow[]): void {
    if (this.#leases.size >= MAX_LEASES) return;
    const characters = rows.reduce((sum, { body }) => sum + body.length, 0);
    if (this.#characters + characters > MAX_CHARACTERS) return;
    this.#characters += characters;
    this.#leases.set(leaseId, { rows, untilMs: this.clock.now() + KEEP_MS, characters });
  }

  /** Returns the ids of the cached leases. `take` has them until the next call. */
  leaseIds(): string[] {
    const nowMs = this.clock.now();
    for (const [leaseId, { untilMs }] of this.#leases) {
      if (untilMs > nowMs) break;
      this.take(leaseId);
    }
    return [...this.#leases.keys()];
  }

  /** Returns the deliveries of a lease, once. */
  take(leaseId: string): ClaimedRow[] {
    const remembered = this.#leases.get(leaseId);
    if (!remembered) return [];
    this.#leases.delete(leaseId);
    this.#characters -= remembered.characters;
    return remembered.rows;
  }
}
