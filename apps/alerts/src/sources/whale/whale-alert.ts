import {
  type Correlation,
  type Severity,
  type WhaleV1,
  chainName,
  checksumAddress,
  protocolName,
} from '@plimsoll/contracts';
import { shortWallet } from '../../content/format-figures';

/** A stored alert about a whale move. Times are in milliseconds since 1970. */
export interface WhaleAlert {
  id: string;
  accountId: string;
  /** The watched wallet, or the watched protocol on a chain. Each has at most one active alert. */
  subject: string;
  /** The move that opened it. */
  activityId: string;
  severity: Severity;
  title: string;
  message: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** A move with the correlation of its event. */
export interface CausedMove extends Correlation {
  move: WhaleV1;
}

export const walletSubject = (wallet: string): string => `wallet|${wallet}`;

const WHOLE_USD = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const AMOUNT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 });
const DONE: Record<WhaleV1['action'], string> = {
  supply: 'supplied',
  withdraw: 'withdrew',
  borrow: 'borrowed',
  repay: 'repaid',
  liquidation: 'was liquidated, with a debt repaid of',
  transfer: 'gave away',
};

/** Describes the move for people. */
export function whaleText(move: WhaleV1): { title: string; message: string } {
  const { wallet, action, amount, asset, usdValue, protocol, chainId } = move;
  const worth = `$${WHOLE_USD.format(usdValue)}`;
  return {
    title: `A whale ${DONE[action]} ${worth} in ${protocolName(protocol)} on ${chainName(chainId)}`,
    message: `Wallet ${shortWallet(checksumAddress(wallet))} moved ${AMOUNT.format(amount)} ${asset}.`,
  };
}
