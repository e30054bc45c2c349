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
  groupIds: string[];
}

export const WALLET_COLUMNS =
  'account_id AS "accountId", address, enabled, watched_since AS "watchedSince", label, group_ids AS "groupIds"';

export function walletEvent({
  accountId,
  address,
  enabled,
  watchedSince,
  label,
  groupIds,
}: WalletRow): WalletV1 {
  return {
    accountId,
    wallet: address,
    enabled,
    watchedSince: watchedSince.toISOString(),
    ...(label !== null && { label }),
    ...(groupIds.length > 0 && { groupIds }),
  };
}

export function walletResponse({
  address,
  enabled,
  watchedSince,
  label,
  groupIds,
}: WalletRow): WatchedWallet {
  const createdAt = watchedSince.toISOString();
  return { address: checksumAddress(address), enabled, createdAt, label, walletGroupIds: groupIds };
}
