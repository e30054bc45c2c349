import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsString } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  AsSent,
  Example,
  Field,
  IsId,
  Optional,
  PageQuery,
  TIMESTAMP,
  WALLET,
  WALLET_GROUP_ID,
  WALLET_IMPORT_ID,
} from '../fields';
import { MOST_GROUPS_OF_WALLET } from './wallets';

/** Most wallets of one import. */
export const MOST_IMPORTED_WALLETS = 10_000;

/** States of an import of wallets. */
export const WALLET_IMPORT_STATES = ['pending', 'running', 'completed', 'failed'] as const;

export type WalletImportState = (typeof WALLET_IMPORT_STATES)[number];

const PENDING = {
  id: WALLET_IMPORT_ID,
  state: 'pending',
  total: 2,
  done: 0,
  added: 0,
  alreadyWatched: 0,
  rejected: 0,
  createdAt: TIMESTAMP,
  completedAt: null,
  expiresAt: null,
};
const COMPLETED = {
  ...PENDING,
  state: 'completed',
  done: 2,
  added: 1,
  rejected: 1,
  completedAt: TIMESTAMP,
  expiresAt: '2026-11-28T12:00:00.000Z',
};

/** A row of an import. The values are checked when it is imported. */
export class ImportedWallet {
  @JSONSchema({ description: 'Wallet address or ENS name, as in POST /v1/wallets.' })
  @IsString()
  address!: string;

  @JSONSchema({ description: 'Name of the wallet, as in POST /v1/wallets.' })
  @Optional()
  @IsString()
  label?: string;

  @JSONSchema({
    description: 'All wallet groups that contain the wallet. Absent: those of the import.',
  })
  @Optional()
  @IsArray()
  @IsString({ each: true })
  walletGroupIds?: string[];
}

/** Body of POST /v1/wallets/imports. The service checks the rows itself, because there are many. */
@Example({
  wallets: [
    { address: WALLET, label: 'Treasury' },
    { address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', walletGroupIds: [] },
  ],
  walletGroupIds: [WALLET_GROUP_ID],
})
export class ImportWalletsBody {
  @JSONSchema({
    description: 'The wallets. Each row has the effect of POST /v1/wallets.',
    items: { $ref: '#/components/schemas/ImportedWallet' },
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_IMPORTED_WALLETS)
  @AsSent()
  wallets!: ImportedWallet[];

  @JSONSchema({
    description:
      'Wallet groups of the rows that name none themselves, by their ids. Absent: watched wallets keep their groups.',
  })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MOST_GROUPS_OF_WALLET)
  @ArrayUnique()
  @IsId('wgr', { each: true })
  walletGroupIds?: string[];
}

/** An import of wallets. */
@Example(PENDING)
export class WalletImport {
  @Field.Id('imp', 'Id of the import.') id!: string;

  @Field.Word(
    WALLET_IMPORT_STATES,
    'pending: no row is done. completed: every row is done. failed: it ended before its last row, because rows could not be stored ten times in a row.',
  )
  state!: WalletImportState;

  @Field.Integer('Rows.', { min: 1 }) total!: number;
  @Field.Integer('Rows that are done: added, already watched and rejected.', { min: 0 }) done!: number;
  @Field.Integer('Wallets that are watched since this import.', { min: 0 }) added!: number;

  @Field.Integer('Wallets that were watched before their row. It changed only their label and groups.', {
    min: 0,
  })
  alreadyWatched!: number;

  @Field.Integer('Rows with a mistake, and rows above the cap of watched wallets.', { min: 0 })
  rejected!: number;

  @Field.Timestamp('When it was requested.') createdAt!: string;
  @Field.Timestamp('When it ended. Null while rows are left.', { nullable: true }) completedAt!:
    string | null;

  @Field.Timestamp(
    'The import is deleted then, or earlier when the account has 20 newer ones. Null until it ended.',
    {
      nullable: true,
    },
  )
  expiresAt!: string | null;
}

/** Response of POST /v1/wallets/imports. */
@Example({ walletImport: PENDING })
export class OneWalletImport {
  @Field.Object(() => WalletImport, 'The import.') walletImport!: WalletImport;
}

/** Query of GET /v1/wallets/imports/:id. */
export class WalletImportQuery extends PageQuery {}

/** A rejected row of an import. */
export class WalletImportRejection {
  @Field.Integer('Place of the row in `wallets` of the request, from 0.', { min: 0 }) index!: number;
  @Field.Text('Address or name of the row, as it was sent.') address!: string;
  @Field.Text('Field of the row with the first mistake. Null for a row above the cap.', { nullable: true })
  field!: string | null;

  @Field.Text(
    'Code of the first mistake: one of POST /v1/wallets, such as invalid_checksum, name_without_address or unknown_wallet_group. quota_reached: the account watches as many wallets as its tier permits. upstream_unavailable: the ENS name could not be looked up.',
  )
  code!: string;

  @Field.Text('The necessary change, as text.') message!: string;
}

/** Response of GET /v1/wallets/imports/:id. */
@Example({
  walletImport: COMPLETED,
  rejections: [
    {
      index: 1,
      address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      field: null,
      code: 'quota_reached',
      message:
        'This account watches 3 wallets, which is its limit. Delete one of them, or move to a higher tier.',
    },
  ],
  count: 1,
  nextCursor: null,
})
export class WalletImportProgress extends OneWalletImport {
  @Field.Object(() => WalletImportRejection, 'Rejected rows, in the order of the request.', { list: true })
  rejections!: WalletImportRejection[];

  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}
