/** What a transaction offers for a unit of gas, in wei. */
export interface Fees {
  maxFee: bigint;
  priorityFee: bigint;
}

/** A node takes a transaction in the place of another only for an eighth more of both. */
const BUMP_PERCENT = 113n;
const LEAST_PRIORITY_FEE = 1n;

/** Enough for the base fee to double. */
export function firstFees(baseFee: bigint, priorityFee: bigint, cap: bigint): Fees {
  const tip = atMost(atLeast(priorityFee, LEAST_PRIORITY_FEE), cap);
  return { maxFee: atMost(2n * baseFee + tip, cap), priorityFee: tip };
}

/** More than before, and enough for now; null where the cap does not allow what a node would take. */
export function bumpedFees(before: Fees, now: Fees, cap: bigint): Fees | null {
  const maxFee = atLeast(more(before.maxFee), now.maxFee);
  const priorityFee = atLeast(more(before.priorityFee), now.priorityFee);
  return maxFee > cap || more(before.maxFee) > cap ? null : { maxFee, priorityFee };
}

function more(fee: bigint): bigint {
  return (fee * BUMP_PERCENT) / 100n + 1n;
}

function atLeast(value: bigint, least: bigint): bigint {
  return value > least ? value : least;
}

function atMost(value: bigint, most: bigint): bigint {
  return value < most ? value : most;
}
