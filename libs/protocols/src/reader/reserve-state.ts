/** The balances of a market in one asset at a block, and the rates that it pays and charges. */
export interface ReserveState {
  /** In the token's smallest unit, interest included. Null if the market keeps no such sum. */
  suppliedRaw: bigint | null;
  borrowedRaw: bigint | null;
  /** Yearly rate, 0.05 is 5 %. Null if the protocol has no such rate. */
  supplyRate: number | null;
  borrowRate: number | null;
}

/** Identifies one asset of a market. */
export interface ReserveKey {
  /** The underlying token in lower case. The zero address is the chain's own coin. */
  token: `0x${string}`;
  /** The market of a protocol with many markets in one contract. Empty otherwise. */
  subId: string;
}
