import type { BlockRef, ContractRow, MarketRow, Multicall } from '@plimsoll/evm';
import { isAddress, type Address, type Hex } from 'viem';
import type { RawLeg, RawPosition } from '../reader/raw-position';

/** A call that an account makes. */
export interface PlannedCall {
  /** Display text. */
  description: string;
  to: Address;
  data: Hex;
  value: bigint;
}

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
  /**
   * The market that a policy of the executor names. Default: the spender as its contract, and no id for a
   * contract of one market.
   */
  policyMarket?: { contract?: Address; id?: Hex };
}

/** A call with a permit whose signature is zero. */
export interface PermitCall extends PlannedCall {
  /** Byte offsets of the words in the data. */
  signatureAt: { v: number; r: number; s: number };
}

/** A call that sends none of the chain's own coin. */
export function plannedCall(description: string, to: Address, data: Hex): PlannedCall {
  return { description, to, data, value: 0n };
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

/**
 * Returns an address from the registry's row, as the row writes it.
 * @throws Unexecutable
 */
export function contractOf({ contracts, market }: MarketRow, name: string): Address {
  const address = optionalContractOf(contracts, name);
  if (address) return address;
  throw new Unexecutable(`The registry names no ${name} of ${market}.`);
}

export function optionalContractOf(contracts: ContractRow, name: string): Address | null {
  const address = contracts[name];
  return typeof address === 'string' && isAddress(address) ? address : null;
}
