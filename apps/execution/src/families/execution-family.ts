import type { BlockRef, MarketRow, Multicall, RawLeg, RawPosition } from '@plimsoll/chain';
import type { Address } from 'viem';
import type { PlannedCall } from '../simulation/simulated-call';

/** The dependencies of a family's lookups. */
export interface FamilyScope {
  row: MarketRow;
  multicall: Multicall;
  block: BlockRef;
  position: RawPosition;
  /** Display name of the protocol. */
  protocolName: string;
}

/** The calls with which a wallet changes its position. */
export interface PositionActions {
  /** Returns the contract that receives the tokens of a repayment. */
  spenderOf(debt: RawLeg): Address;
  /** Returns the display name of the contract that a token's call uses. */
  contractName(leg: RawLeg): string;
  /**
   * Repays an amount in the token's smallest unit. It returns several calls when several contracts hold the
   * debt.
   */
  repay(debt: RawLeg, amountRaw: bigint): PlannedCall[];
  /** Withdraws an amount of collateral to the wallet. */
  withdraw(collateral: RawLeg, amountRaw: bigint): PlannedCall[];
  /** Repays with a permit instead of an approval. Null when the protocol has no such call. */
  repayWithPermit(debt: RawLeg, amountRaw: bigint, deadline: bigint): PermitCall | null;
}

/** A call with a permit whose signature is zero. */
export interface PermitCall extends PlannedCall {
  /** Byte offsets of the words in the data. */
  signatureAt: { v: number; r: number; s: number };
}

/** How executions change positions of one family. */
export interface ExecutionFamily {
  /** @throws ChainReadError; Unexecutable for a leg that no execution can change */
  actionsOf(scope: FamilyScope): Promise<PositionActions>;
}

/** A position of the family with a part that no execution can change. */
export class Unexecutable extends Error {
  override readonly name = 'Unexecutable';
}
