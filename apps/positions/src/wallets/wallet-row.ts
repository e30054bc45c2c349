import { checksumAddress } from '@plimsoll/contracts';
import type { WalletV1, WatchedWallet } from '@plimsoll/contracts';

/** A watched wallet in the database. The address is in lower case. */
export interface WalletRow {
  accountId: string;
  address: string;
  enabled: boolean;
  watchedSince: Date;
}

export const WALLET_COLUMNS = 'account_id AS "accountId", address, enabled, watched_since AS "watchedSince"';

export function walletEvent({ accountId, address, enabled, watchedSince }: WalletRow): WalletV1 {
  return { accountId, wallet: address, enabled, watchedSince: watchedSince.toISOString() };
}

export function walletResponse({ address, enabled, watchedSince }: WalletRow): WatchedWallet {
  return { address: checksumAddress(address), enabled, createdAt: watchedSince.toISOString() };
}
