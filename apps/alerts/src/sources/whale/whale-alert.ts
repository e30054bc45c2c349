import { type Correlation, type WhaleV1, checksumAddress } from '@plimsoll/contracts';
import { shortWallet, venueName } from '../../content/format-figures';
import type { AlertText } from '../../lifecycle/alert';

/** A move with the correlation of its event. */
export interface CausedMove extends Correlation {
  move: WhaleV1;
}

export const walletSubject = (wallet: string): string => `wallet|${wallet}`;
/** Returns the wallet of a subject. */
export const walletOfSubject = (subject: string): string => subject.split('|')[1] ?? '';

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
export function whaleText(move: WhaleV1): AlertText {
  const { wallet, action, amount, asset, usdValue, protocol, chainId } = move;
  const value = `$${WHOLE_USD.format(usdValue)}`;
  return {
    title: `A whale ${DONE[action]} ${value} in ${venueName({ protocol, chainId })}`,
    message: `Wallet ${shortWallet(checksumAddress(wallet))} moved ${AMOUNT.format(amount)} ${asset}.`,
  };
}
