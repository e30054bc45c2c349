import type { WhaleAction } from '@plimsoll/contracts';
import type { Address } from 'viem';
import type { MinedLog } from '../logs/read-logs';

/** One action of a wallet on its position, as one log describes it. Addresses are in lower case. */
export interface Activity {
  log: MinedLog;
  /** Which of several moves that the log says; left out of the first. */
  part?: number;
  action: WhaleAction;
  wallet: Address;
  /** The wallet that paid, received or liquidated. Null if it is the owner. */
  counterparty: Address | null;
  /** Zero address: the chain's own coin. */
  token: Address;
  /** In the token's smallest unit; of a liquidation the debt that was repaid. */
  amountRaw: bigint;
  /** Which of the wallet's positions in the market; empty where it has only one. */
  subId: string;
}

/** A wallet let another act for it, or ceased to. */
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
