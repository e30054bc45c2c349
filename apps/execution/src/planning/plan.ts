import type { BlockRef, MarketRow, RawLeg, RawPosition } from '@plimsoll/chain';
import type { DeleverageStrategy, ExecutionFees } from '@plimsoll/contracts';
import type { LegAmount } from '@plimsoll/execution-plan';
import type { ExecutionChain } from '../chains/chains.service';
import type { PermitCall, PositionActions } from '../families/execution-family';
import type { PositionPlace } from '../positions/position-source';
import type { PlannedCall } from '../simulation/simulated-call';

/** What is asked for, checked. */
export interface DeleverageRequest {
  strategy: DeleverageStrategy;
  targetHealthFactor: number;
  /** The same as wad. */
  targetRaw: bigint;
  /** What amounts are worked out for, wad: a little above the target, so that the simulation reaches it. */
  aimRaw: bigint;
  maxSlippageBps: number;
  /** Symbol of the collateral to sell; null: any. */
  asset: string | null;
  /** Milliseconds since 1970. */
  deadlineMs: number;
}

/** A position on a block, with what is needed to act on it. */
export interface PositionScene {
  place: PositionPlace;
  chain: ExecutionChain;
  row: MarketRow;
  block: BlockRef;
  position: RawPosition;
  actions: PositionActions;
}

/** What a strategy wants the wallet to call. */
export interface Draft {
  calls: PlannedCall[];
  repays: LegAmount<RawLeg>[];
  sells: LegAmount<RawLeg>[];
  costs: { feeUsd: number; slippageUsd: number; flashPremiumUsd: number };
  /** A call with a permit that stands for others; null where there is none. */
  permit: DraftPermit | null;
}

/** A permit and what it replaces. */
export interface DraftPermit {
  call: PermitCall;
  /** Places of the calls that it stands for. */
  replaces: number[];
  token: RawLeg;
  spender: `0x${string}`;
  amountRaw: bigint;
}

/** A draft that was simulated and found to reach its target. */
export interface Plan extends Draft {
  scene: PositionScene;
  gas: bigint[];
  fees: ExecutionFees;
  after: RawPosition;
}

export const NO_COSTS = { feeUsd: 0, slippageUsd: 0, flashPremiumUsd: 0 } as const;
