import { checksumAddress } from '@plimsoll/contracts';
import type { WalletV1, WatchedWallet } from '@plimsoll/contracts';

/** A watched wallet in the database. The address is in lower case. */
export interface WalletRow {
  accountId: string;
  address: string;
  enabled: boolean;
  watchedSince: Date;
  /** Null without a name. */
  label: string | null;
}

export const WALLET_COLUMNS =
  'account_id AS "accountId", address, enabled, watched_since AS "watchedSince", label';

export function walletEvent({ accountId, address, enabled, watchedSince, label }: WalletRow): WalletV1 {
  const event = { accountId, wallet: address, enabled, watchedSince: watchedSince.toISOString() };
  return label === null ? event : { ...event, label };
}

export function walletResponse({ address, enabled, watchedSince, label }: WalletRow): WatchedWallet {
  return { address: checksumAddress(address), enabled, createdAt: watchedSince.toISOString(), label };
}
