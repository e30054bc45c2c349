import type { WhaleAction } from '@plimsoll/contracts';
import type { MinedLog } from '@plimsoll/evm';
import type { Address } from 'viem';

/** One action of a wallet on its position, as one log describes it. Addresses are in lower case. */
export interface Activity {
  log: MinedLog;
  /** The index among several moves of the log. Absent for the first. */
  part?: number;
  action: WhaleAction;
  wallet: Address;
  /** The wallet that paid, received or liquidated. Null if it is the owner. */
  counterparty: Address | null;
  /** Zero address: the chain's own coin. */
  token: Address;
  /** In the token's smallest unit. For a liquidation this is the repaid debt. */
  amountRaw: bigint;
  /** The position of the wallet in the market. Empty if it has only one. */
  subId: string;
}

/** A wallet gave another the permission to act for it, or withdrew it. */
export interface Permission {
  log: MinedLog;
  wallet: Address;
  delegate: Address;
  isGranted: boolean;
}

/** The activities decoded from the logs of a market. */
export interface ActivityRead {
  activities: Activity[];
  permissions: Permission[];
}
