import { ArrayMaxSize, ArrayUnique, IsArray, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  ALL_READ,
  AcceptsNames,
  BLOCK,
  Combined,
  Example,
  Field,
  IsId,
  MOST_NAME_CHARS,
  OR_NAME,
  Optional,
  PageQuery,
  TIMESTAMP,
  WALLET,
  WALLET_GROUP_ID,
  WALLET_PATTERN,
} from '../fields';
import { BlockStamp, ReadState } from '../positions/positions';

const MOST_LABEL_CHARS = 64;
/** Without control characters, because the name is part of the text of alerts. */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029';
const ONE_LINE = new RegExp(`^[^${CONTROL}]*$`);

/** Most groups of an account, and of a wallet. */
export const MOST_WALLET_GROUPS = 100;
export const MOST_GROUPS_OF_WALLET = 20;

const WATCHED = {
  address: WALLET,
  enabled: true,
  createdAt: TIMESTAMP,
  label: 'Treasury',
  walletGroupIds: [WALLET_GROUP_ID],
};
const LISTED = {
  ...WATCHED,
  positionCount: 1,
  lowestHealthFactor: 1.2375,
  netWorthUsd: 2_500,
  openAlerts: 1,
};
const GROUP = { id: WALLET_GROUP_ID, name: 'Treasury', walletCount: 3, createdAt: TIMESTAMP };

/** Query of GET /v1/wallets. */
export class ListWalletsQuery extends PageQuery {
  @JSONSchema({ description: 'Only wallets in this wallet group, as in GET /v1/wallet-groups.' })
  @Optional()
  @IsId('wgr')
  walletGroupId?: string;
}

/** Body of PATCH /v1/wallets/:address. */
@Example({ label: 'Treasury' })
export class UpdateWalletBody {
  @JSONSchema({
    description:
      'Name of the wallet in alerts, one line of text. Absent: a watched wallet keeps its name. An empty text removes it.',
  })
  @Optional()
  @IsString()
  @MaxLength(MOST_LABEL_CHARS)
  @Matches(ONE_LINE, { message: 'label must not contain control characters' })
  label?: string;

  @JSONSchema({
    description:
      'All wallet groups that contain the wallet from now on, by their ids. Absent: a watched wallet keeps its groups. An empty list removes it from every group.',
  })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MOST_GROUPS_OF_WALLET)
  @ArrayUnique()
  @IsId('wgr', { each: true })
  walletGroupIds?: string[];
}

/**
 * Body of POST /v1/wallets. The service checks the address itself, so that its error states whether the form
 * or the checksum is invalid.
 */
@Example({ address: WALLET, label: 'Treasury' })
export class WatchWalletBody extends UpdateWalletBody {
  @JSONSchema({
    description: `Wallet address: 0x and 40 hexadecimal digits. A mixed-case address must have the EIP-55 checksum. ${OR_NAME} The wallet stays that of the address when the name moves.`,
    pattern: WALLET_PATTERN,
  })
  @AcceptsNames()
  @IsString()
  @MaxLength(MOST_NAME_CHARS)
  address!: string;
}

/** A watched wallet of the account. */
@Example(WATCHED)
export class WatchedWallet {
  @Field.Address('Address of the wallet.') address!: string;

  @Field.Boolean('False: above the cap of the account’s tier, so the wallet causes no events.')
  enabled!: boolean;

  @Field.Timestamp('When the watch began.') createdAt!: string;

  @Field.Text('Name that the account gave to the wallet. Null without one.', { nullable: true })
  label!: string | null;

  @Field.Id('wgr', 'Wallet groups that contain it.', { list: true }) walletGroupIds!: string[];
}

/** A watched wallet with its figures. */
export class ListedWallet extends WatchedWallet {
  @Field.Integer('Open positions. Null: nothing of the wallet could be read, or it is not enabled.', {
    min: 0,
    nullable: true,
  })
  positionCount!: number | null;

  @Field.Number(
    'Lowest health factor of its positions. Null: none has debt, nothing of the wallet could be read, or it is not enabled.',
    { min: 0, nullable: true },
  )
  lowestHealthFactor!: number | null;

  @Field.Usd(
    'Everything that its positions supply minus everything they owe. Null: nothing of the wallet could be read, or it is not enabled.',
    { nullable: true },
  )
  netWorthUsd!: number | null;

  @Field.Integer('Active alerts of the account about positions of the wallet.', { min: 0 })
  openAlerts!: number;
}

/** Response of GET /v1/wallets. */
@Example({ wallets: [LISTED], count: 1, limit: 25, nextCursor: null, ...ALL_READ, ...BLOCK })
export class WatchedWalletList extends Combined(BlockStamp, ReadState) {
  @Field.Object(() => ListedWallet, 'Newest first.', { list: true }) wallets!: ListedWallet[];
  @Field.ItemCount() count!: number;

  @Field.Integer('Most wallets that this account may watch. Null: no limit.', { min: 0, nullable: true })
  limit!: number | null;

  @Field.NextCursor() nextCursor!: string | null;
}

/** Response of DELETE /v1/wallets/:address. */
@Example({ success: true, deleted: WALLET })
export class UnwatchedWallet {
  @Field.Boolean('Always true.') success!: boolean;
  @Field.Address('Address that is no longer watched.') deleted!: string;
}

/** Body of POST /v1/wallet-groups and of PATCH /v1/wallet-groups/:id. */
@Example({ name: 'Treasury' })
export class WalletGroupBody {
  @JSONSchema({ description: 'Name of the group, one line of text. No other group of the account has it.' })
  @IsString()
  @MinLength(1)
  @MaxLength(MOST_LABEL_CHARS)
  @Matches(ONE_LINE, { message: 'name must not contain control characters' })
  name!: string;
}

/** A group of watched wallets. */
@Example(GROUP)
export class WalletGroup {
  @Field.Id('wgr', 'Id of the group.') id!: string;
  @Field.Text('Name of the group.') name!: string;
  @Field.Integer('Watched wallets in the group.', { min: 0 }) walletCount!: number;
  @Field.Timestamp('When it was created.') createdAt!: string;
}

/** Response of POST /v1/wallet-groups and of PATCH /v1/wallet-groups/:id. */
@Example({ walletGroup: GROUP })
export class OneWalletGroup {
  @Field.Object(() => WalletGroup, 'The group.') walletGroup!: WalletGroup;
}

/** Response of GET /v1/wallet-groups. */
@Example({ walletGroups: [GROUP], count: 1, limit: MOST_WALLET_GROUPS })
export class WalletGroupList {
  @Field.Object(() => WalletGroup, 'All groups, by name.', { list: true }) walletGroups!: WalletGroup[];
  @Field.ItemCount() count!: number;
  @Field.Integer('Most groups that an account may have.', { min: 0 }) limit!: number;
}

/** Response of DELETE /v1/wallet-groups/:id. */
@Example({ success: true, deleted: WALLET_GROUP_ID })
export class DeletedWalletGroup {
  @Field.Boolean('Always true.') success!: boolean;
  @Field.Id('wgr', 'Id of the deleted group.') deleted!: string;
}
