import type { Address, Hex } from 'viem';

/** One asset on one side of a position, at the position's block. */
export interface RawLeg {
  symbol: string;
  /** The underlying token. */
  address: Address;
  side: 'collateral' | 'debt';
  /** Balance with interest, in token units. */
  amountRaw: bigint;
  /** Principal as the protocol stores it: changes only when somebody acts. */
  scaledRaw: bigint;
  decimals: number;
  /** Price by the protocol's own oracle, with `priceDecimals` decimals of the market's base currency. */
  priceRaw: bigint;
  priceDecimals: number;
  /** The contract that this price comes from. */
  oracle: Address;
  /** The threshold that counts for this wallet (its e-mode included); 0n on the debt side. */
  liquidationThresholdBps: bigint;
  /** False on the debt side, and for a supply that does not secure the debt. */
  usedAsCollateral: boolean;
}

/** A position at one block, exact as the contract has it. Its key: protocol, chain, market, sub-id, wallet. */
export interface RawPosition {
  protocol: string;
  chainId: number;
  market: string;
  /** Empty where a wallet has one position in a market. */
  subId: string;
  wallet: Address;
  legs: RawLeg[];
  /** Of supplies used as collateral, in base-currency units (`priceDecimals` decimals). */
  totalCollateralRaw: bigint;
  totalDebtRaw: bigint;
  priceDecimals: number;
  /** Wad; null without debt. */
  healthFactorRaw: bigint | null;
  blockNumber: bigint;
  blockHash: Hex;
  /** Unix seconds. */
  blockTimestamp: bigint;
  /**
   * True where the contract's arithmetic is not known exactly: a figure that was computed here may differ in its last
   * digits. A position out of readPositions then carries the contract's own totals and health factor.
   */
  isApproximate: boolean;
}
