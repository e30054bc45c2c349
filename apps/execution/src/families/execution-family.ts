import type { BlockRef, MarketRow, Multicall, RawLeg, RawPosition } from '@plimsoll/chain';
import type { Address } from 'viem';
import type { PlannedCall } from '../simulation/simulated-call';

/** What a family looks things up with. */
export interface FamilyScope {
  row: MarketRow;
  multicall: Multicall;
  block: BlockRef;
  position: RawPosition;
  /** What people call the protocol. */
  protocolName: string;
}

/** What a wallet calls to act on its position. */
export interface PositionActions {
  /** Who takes the tokens of a repayment. */
  spenderOf(debt: RawLeg): Address;
  /** What people call the contract that is called for a token. */
  contractName(leg: RawLeg): string;
  /** Repays so much, in the token's smallest unit; more than one call where the debt is kept in several books. */
  repay(debt: RawLeg, amountRaw: bigint): PlannedCall[];
  /** Takes so much collateral out into the wallet. */
  withdraw(collateral: RawLeg, amountRaw: bigint): PlannedCall[];
  /** Repays by a permit in the place of an approval; null where the protocol has no such call. */
  repayWithPermit(debt: RawLeg, amountRaw: bigint, deadline: bigint): PermitCall | null;
}

/** A call that takes a permit, its signature left at zero. */
export interface PermitCall extends PlannedCall {
  /** Byte offsets of the words in the data. */
  signatureAt: { v: number; r: number; s: number };
}

/** How positions of one family are acted on. */
export interface ExecutionFamily {
  /** @throws ChainReadError; Unexecutable for a leg that cannot be acted on */
  actionsOf(scope: FamilyScope): Promise<PositionActions>;
}

/** A position that the family knows, with something in it that it cannot act on. */
export class Unexecutable extends Error {
  override readonly name = 'Unexecutable';
}
