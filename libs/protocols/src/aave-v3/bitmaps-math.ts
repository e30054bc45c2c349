/** The fields of a reserve's configuration word that matter for risk (ReserveConfiguration of `@aave/core-v3`). */
export interface ReserveParameters {
  ltvBps: bigint;
  liquidationThresholdBps: bigint;
  liquidationBonusBps: bigint;
  decimals: number;
  isActive: boolean;
  isFrozen: boolean;
  isPaused: boolean;
  /** Category of the asset up to revision 3.1; later revisions leave these bits unused. */
  eModeCategory: number;
}

const bits = (word: bigint, from: bigint, count: bigint): bigint => (word >> from) & ((1n << count) - 1n);

/** Reads a reserve's configuration word. */
export function decodeReserveConfiguration(word: bigint): ReserveParameters {
  return {
    ltvBps: bits(word, 0n, 16n),
    liquidationThresholdBps: bits(word, 16n, 16n),
    liquidationBonusBps: bits(word, 32n, 16n),
    decimals: Number(bits(word, 48n, 8n)),
    isActive: bits(word, 56n, 1n) === 1n,
    isFrozen: bits(word, 57n, 1n) === 1n,
    isPaused: bits(word, 60n, 1n) === 1n,
    eModeCategory: Number(bits(word, 168n, 8n)),
  };
}

/** Whether a wallet's configuration word marks the reserve of this id as borrowed. */
export function isBorrowing(userConfiguration: bigint, reserveId: number): boolean {
  return bits(userConfiguration, BigInt(reserveId * 2), 1n) === 1n;
}

/** Whether a wallet's configuration word marks the reserve of this id as used for collateral. */
export function isUsingAsCollateral(userConfiguration: bigint, reserveId: number): boolean {
  return bits(userConfiguration, BigInt(reserveId * 2 + 1), 1n) === 1n;
}
