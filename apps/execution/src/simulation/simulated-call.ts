import type { BlockRef } from '@plimsoll/chain';
import type { Address, Hex } from 'viem';

/** A call that an account is to make. */
export interface PlannedCall {
  /** For people. */
  description: string;
  to: Address;
  data: Hex;
  value: bigint;
}

/** What became of a call. */
export interface SimulatedCall {
  success: boolean;
  gasUsed: bigint;
  data: Hex;
}

/** Calls of one account, and reads in the state that they leave. */
export interface SimulationRequest {
  base: BlockRef;
  from: Address;
  calls: readonly PlannedCall[];
  reads: readonly { to: Address; data: Hex }[];
}

/** The node does not simulate in this way. */
export class SimulationUnavailable extends Error {
  override readonly name = 'SimulationUnavailable';
}
