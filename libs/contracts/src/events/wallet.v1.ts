import { Type, type Static } from '@sinclair/typebox';
import { defineEvent } from './define-event';
import { Address, RecordId, Timestamp } from './fields';

/** An account watches a wallet. A tombstone under the same key ends that. */
const WalletV1Schema = Type.Object({
  accountId: RecordId('acc'),
  wallet: Address,
  /** False while the account is above its tier's cap. The entry is kept, but the wallet is not watched. */
  enabled: Type.Boolean(),
  watchedSince: Timestamp,
  /** Name that the account gave to the wallet. Absent without one. */
  label: Type.Optional(Type.String({ minLength: 1 })),
  /** Wallet groups of the account that contain it. Absent without any, and in events of earlier releases. */
  groupIds: Type.Optional(Type.Array(RecordId('wgr'))),
});

export type WalletV1 = Static<typeof WalletV1Schema>;

/** Key of wallet.v1: `<accountId>|<wallet>`. */
export function walletKey(accountId: string, wallet: string): string {
  return `${accountId}|${wallet.toLowerCase()}`;
}

/** Returns the two parts of a wallet.v1 key. Tombstones have only the key. */
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
