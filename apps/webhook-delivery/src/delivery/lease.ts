import { randomUUID } from 'node:crypto';
import { ATTEMPT_DEADLINE_MS } from '../outgoing/exchange';

/** Duration of a lease: a wait for the turn, the deadline of an attempt, and time to write its result. */
export const LEASE_MS = ATTEMPT_DEADLINE_MS + 5_000;

/** Remaining time of a lease that an attempt needs at its begin. */
const NEEDED_LEASE_MS = ATTEMPT_DEADLINE_MS + 2_000;

/**
 * The lease of this process on deliveries that it claimed together. It is a row of `leases` until it holds no
 * delivery.
 */
export interface Lease {
  /** UUID. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly endsAtMs: number;
  /** Deliveries that the lease still holds. */
  held: number;
}

export function newLease(nowMs: number): Lease {
  return { id: randomUUID(), endsAtMs: nowMs + LEASE_MS, held: 0 };
}

/**
 * Returns false when an attempt that begins now might outlive the lease, so that another process could send
 * it too.
 */
export function outlastsAttempt({ endsAtMs }: Lease, nowMs: number): boolean {
  return endsAtMs - nowMs >= NEEDED_LEASE_MS;
}

/** Returns the ids of the leases that hold no delivery after these are released, one entry per delivery. */
export function emptiedLeases(leases: readonly Lease[]): string[] {
  const counts = new Map<Lease, number>();
  for (const lease of leases) counts.set(lease, (counts.get(lease) ?? 0) + 1);
  return [...counts].flatMap(([lease, count]) => (lease.held <= count ? [lease.id] : []));
}

/** Releases deliveries, one entry per delivery. */
export function releaseLeases(leases: readonly Lease[]): void {
  for (const lease of leases) lease.held -= 1;
}
