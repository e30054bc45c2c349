import type { DeleverageStrategy, ExecutionFees } from '@plimsoll/contracts';
import type { BlockRef, MarketRow } from '@plimsoll/evm';
import type { RawLeg, RawPosition, PermitCall, PositionActions, PlannedCall } from '@plimsoll/protocols';
import type { LegAmount } from '../amounts/position';
import type { ExecutionChain } from '../chains/chains.service';
import type { PositionVenue } from '../positions/position-source';

/** The validated request. */
export interface DeleverageRequest {
  strategy: DeleverageStrategy;
  targetHealthFactor: number;
  /** The same as wad. */
  targetRaw: bigint;
  /** Aim of the computed amounts, wad: slightly above the target, so that the simulation reaches it. */
  aimRaw: bigint;
  maxSlippageBps: number;
  /** Symbol of the collateral to sell. Null: any. */
  asset: string | null;
  /** Milliseconds since 1970. */
  deadlineMs: number;
}

/** A position on a block, with what an execution needs. */
export interface PositionScene {
  place: PositionVenue;
  chain: ExecutionChain;
  row: MarketRow;
  block: BlockRef;
  position: RawPosition;
  actions: PositionActions;
}

/** The calls of a strategy. */
export interface Draft {
  calls: PlannedCall[];
  repays: LegAmount<RawLeg>[];
  sells: LegAmount<RawLeg>[];
  costs: { feeUsd: number; slippageUsd: number; flashPremiumUsd: number };
  /** A call with a permit that replaces others, or null. */
  permit: DraftPermit | null;
}

/** A permit and the calls that it replaces. */
export interface DraftPermit {
  call: PermitCall;
  /** Indexes of the calls that it replaces. */
  replaces: number[];
  token: RawLeg;
  spender: `0x${string}`;
  amountRaw: bigint;
}

/** A simulated draft that reaches its target. */
export interface Plan extends Draft {
  scene: PositionScene;
  gas: bigint[];
  fees: ExecutionFees;
  after: RawPosition;
}

export const NO_COSTS = { feeUsd: 0, slippageUsd: 0, flashPremiumUsd: 0 } as const;
