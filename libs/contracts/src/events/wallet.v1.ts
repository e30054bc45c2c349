import { Type, type Static } from '@sinclair/typebox';
import { defineEvent } from './define-event';
import { Address, RecordId, Timestamp } from './fields';

/** An account watches a wallet. Unwatching is a tombstone under the same key. */
const WalletV1Schema = Type.Object({
  accountId: RecordId('acc'),
  wallet: Address,
  /** False while the account is above its tier's cap: kept, but not watched (decisions.md, Values). */
  enabled: Type.Boolean(),
  watchedSince: Timestamp,
});

export type WalletV1 = Static<typeof WalletV1Schema>;

/** Key of wallet.v1: `<accountId>|<wallet>`. */
export function walletKey(accountId: string, wallet: string): string {
  return `${accountId}|${wallet.toLowerCase()}`;
}

/** The two parts of a wallet.v1 key; for tombstones, which have no value. */
export function parseWalletKey(key: string): { accountId: string; wallet: string } {
  const [accountId = '', wallet = ''] = key.split('|');
  return { accountId, wallet };
}

export const walletV1 = defineEvent({
  topic: 'wallet.v1',
  schema: WalletV1Schema,
  compacted: true,
  keyOf: (value) => walletKey(value.accountId, value.wallet),
});
