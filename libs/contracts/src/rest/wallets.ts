import { type Static, Type } from '@sinclair/typebox';
import { IsString, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { itemCount, nextCursor, nullable, shownAddress, timestamp } from './fields';

/**
 * Body of POST /v1/wallets. The service checks the address itself, so that its error states whether the form
 * or the checksum is invalid.
 */
export class WatchWalletBody {
  @JSONSchema({
    description:
      'Wallet address: 0x and 40 hexadecimal digits. A mixed-case address must have the EIP-55 checksum.',
    pattern: '^0x[0-9a-fA-F]{40}$',
  })
  @IsString()
  @MaxLength(64)
  address!: string;
}

/** A watched wallet of the account. */
export const WatchedWallet = Type.Object({
  address: shownAddress('Address of the wallet.'),
  enabled: Type.Boolean({
    description: 'False: above the cap of the account’s tier, so the wallet causes no events.',
  }),
  createdAt: timestamp('When the watch began.'),
});
export type WatchedWallet = Static<typeof WatchedWallet>;

/** Response of GET /v1/wallets. */
export const WatchedWalletList = Type.Object({
  wallets: Type.Array(WatchedWallet, { description: 'Newest first.' }),
  count: itemCount,
  limit: nullable(Type.Integer({ minimum: 0 }), 'Most wallets that this account may watch. Null: no limit.'),
  nextCursor,
});
export type WatchedWalletList = Static<typeof WatchedWalletList>;

/** Response of DELETE /v1/wallets/:address. */
export const UnwatchedWallet = Type.Object({
  success: Type.Boolean({ description: 'Always true.' }),
  deleted: shownAddress('Address that is no longer watched.'),
});
export type UnwatchedWallet = Static<typeof UnwatchedWallet>;
