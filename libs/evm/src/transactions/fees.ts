/** Offer of a transaction for a unit of gas, in wei. */
export interface Fees {
  maxFee: bigint;
  priorityFee: bigint;
}

/** A node replaces a transaction only when both fees are an eighth higher. */
const BUMP_PERCENT = 113n;
const LEAST_PRIORITY_FEE = 1n;

/** Sufficient for a doubled base fee. */
export function firstFees(baseFee: bigint, priorityFee: bigint, cap: bigint): Fees {
  const tip = atMost(atLeast(priorityFee, LEAST_PRIORITY_FEE), cap);
  return { maxFee: atMost(2n * baseFee + tip, cap), priorityFee: tip };
}

/** Returns higher fees that are sufficient now, or null when the cap excludes what a node would accept. */
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
