import type { BlockRef } from '@plimsoll/chain';
import type { Address, Hex } from 'viem';

/** A call that an account makes. */
export interface PlannedCall {
  /** Display text. */
  description: string;
  to: Address;
  data: Hex;
  value: bigint;
}

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
