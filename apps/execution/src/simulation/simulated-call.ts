import type { BlockRef } from '@plimsoll/evm';
import type { PlannedCall } from '@plimsoll/protocols';
import type { Address, Hex } from 'viem';

/** Result of a call. */
export interface SimulatedCall {
  success: boolean;
  gasUsed: bigint;
  data: Hex;
}

/** Calls of one account, and reads of the resulting state. */
export interface SimulationRequest {
  base: BlockRef;
  from: Address;
  calls: readonly PlannedCall[];
  reads: readonly { to: Address; data: Hex }[];
}

/** The node lacks this kind of simulation. */
export class SimulationUnavailable extends Error {
  override readonly name = 'SimulationUnavailable';
}
