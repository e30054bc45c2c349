import { IsString, Matches, MaxLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Example, Field, Optional, TIMESTAMP, WALLET } from '../fields';

const MOST_LABEL_CHARS = 64;
/** Without control characters, because the name is part of the text of alerts. */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029';
const ONE_LINE = new RegExp(`^[^${CONTROL}]*$`);

const WATCHED = { address: WALLET, enabled: true, createdAt: TIMESTAMP, label: 'Treasury' };

/**
 * Body of POST /v1/wallets. The service checks the address itself, so that its error states whether the form
 * or the checksum is invalid.
 */
@Example({ address: WALLET, label: 'Treasury' })
export class WatchWalletBody {
  @JSONSchema({
    description:
      'Wallet address: 0x and 40 hexadecimal digits. A mixed-case address must have the EIP-55 checksum.',
    pattern: '^0x[0-9a-fA-F]{40}$',
  })
  @IsString()
  @MaxLength(64)
  address!: string;

  @JSONSchema({
    description:
      'Name of the wallet in alerts, one line of text. Absent: a watched wallet keeps its name. An empty text removes it.',
  })
  @Optional()
  @IsString()
  @MaxLength(MOST_LABEL_CHARS)
  @Matches(ONE_LINE, { message: 'label must not contain control characters' })
  label?: string;
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
}

/** Response of GET /v1/wallets. */
@Example({ wallets: [WATCHED], count: 1, limit: 25, nextCursor: null })
export class WatchedWalletList {
  @Field.Object(() => WatchedWallet, 'Newest first.', { list: true }) wallets!: WatchedWallet[];
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
