/** The balances of a market in one asset at a block, and the rates that it pays and charges. */
export interface ReserveState {
  /** In the token's smallest unit, interest included; null where the market keeps no such sum. */
  suppliedRaw: bigint | null;
  borrowedRaw: bigint | null;
  /** A year, 0.05 being 5 %; null where the protocol gives no such rate. */
  supplyRate: number | null;
  borrowRate: number | null;
}

/** Identifies one asset of a market. */
export interface ReserveKey {
  /** The underlying token in lower case; the zero address: the chain's own coin. */
  token: `0x${string}`;
  /** Of a protocol with many markets in one contract, the market; else empty. */
  subId: string;
}
