import { randomUUID } from 'node:crypto';
import { ATTEMPT_DEADLINE_MS } from '../outgoing/exchange';

/** How long a claim holds: a wait for its turn, the deadline of an attempt, and time to write its result. */
export const LEASE_MS = ATTEMPT_DEADLINE_MS + 5_000;

/** What must be left of a lease when an attempt begins. */
const NEEDED_LEASE_MS = ATTEMPT_DEADLINE_MS + 2_000;

/** The hold of this process on what it claimed together; a row of `leases` until nothing is held under it. */
export interface Lease {
  /** UUID. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly endsAtMs: number;
  /** Deliveries that are still held under it. */
  held: number;
}

export function newLease(nowMs: number): Lease {
  return { id: randomUUID(), endsAtMs: nowMs + LEASE_MS, held: 0 };
}

/** False when an attempt that begins now might outlive the lease, and another process begin a second one. */
export function outlastsAttempt({ endsAtMs }: Lease, nowMs: number): boolean {
  return endsAtMs - nowMs >= NEEDED_LEASE_MS;
}

/** Ids of the leases that nothing is held under once these, one for each delivery, are let go. */
export function lastHeld(leases: readonly Lease[]): string[] {
  const counts = new Map<Lease, number>();
  for (const lease of leases) counts.set(lease, (counts.get(lease) ?? 0) + 1);
  return [...counts].flatMap(([lease, count]) => (lease.held <= count ? [lease.id] : []));
}

/** Deliveries are held no more, one for each entry. */
export function letGo(leases: readonly Lease[]): void {
  for (const lease of leases) lease.held -= 1;
}
