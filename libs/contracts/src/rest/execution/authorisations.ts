import { IsInt, IsString, Matches, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Example, Field, IsMoment, IsWalletSignature, TIMESTAMP, WALLET } from '../fields';

export const AUTHORISATION_STATUSES = ['active', 'expired'] as const;

const ID = 'aut_01aBcDeFgHiJkLmNoPqRsT';
const NONCE = 'Zm9yLW9uZS1yZXF1ZXN0';
const AUTHORISATION = {
  id: ID,
  chainId: 1,
  wallet: WALLET,
  nonce: NONCE,
  status: 'active',
  createdAt: TIMESTAMP,
  expiresAt: '2027-05-21T12:00:00.000Z',
};

/** Body of POST /v1/execution/authorisations. */
@Example({
  chainId: 1,
  wallet: WALLET,
  expiresAt: '2027-05-21T12:00:00.000Z',
  nonce: NONCE,
  signature: `0x${'5f'.repeat(64)}1b`,
})
export class CreateAuthorisationBody {
  @JSONSchema({ description: 'Chain of the executions.' })
  @IsInt()
  @Min(1)
  chainId!: number;

  @JSONSchema({ description: 'Wallet that signed: 0x and 40 hexadecimal digits.' })
  @IsString()
  @Matches(/^0x[0-9a-fA-F]{40}$/, { message: 'wallet must be 0x and 40 hexadecimal digits' })
  wallet!: string;

  @JSONSchema({ description: 'When the authorisation ends: at most 365 days from now.' })
  @IsMoment()
  expiresAt!: string;

  @JSONSchema({ description: 'Random text that the wallet never signed before for this account.' })
  @IsString()
  @Matches(/^[A-Za-z0-9_-]{16,64}$/, {
    message: 'nonce must be 16 to 64 letters, digits, hyphens or underscores',
  })
  nonce!: string;

  @JSONSchema({
    description: 'Signature of the text by the wallet: 0x and 65 bytes, more for a contract wallet.',
  })
  @IsWalletSignature()
  signature!: string;
}

/** The authorisation of the account by a wallet. */
@Example(AUTHORISATION)
export class Authorisation {
  @Field.Id('aut', 'Id of the authorisation.') id!: string;
  @Field.Integer('Chain of the executions.', { min: 1 }) chainId!: number;
  @Field.Address('Wallet that signed.') wallet!: string;

  @Field.Text('Nonce of the signed text. Null for a `walletSignature`, which has none.', { nullable: true })
  nonce!: string | null;

  @Field.Word(AUTHORISATION_STATUSES, 'active: executions may begin. expired: they may not.')
  status!: (typeof AUTHORISATION_STATUSES)[number];

  @Field.Timestamp('When the service received it.') createdAt!: string;
  @Field.Timestamp('When it ends.') expiresAt!: string;
}

/** Response of POST /v1/execution/authorisations. */
@Example({ authorisation: AUTHORISATION })
export class CreatedAuthorisation {
  @Field.Object(() => Authorisation, 'The authorisation.') authorisation!: Authorisation;
}

/** Response of GET /v1/execution/authorisations. */
@Example({ authorisations: [AUTHORISATION], count: 1, nextCursor: null })
export class AuthorisationList {
  @Field.Object(() => Authorisation, 'Newest first.', { list: true }) authorisations!: Authorisation[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}

/** Response of DELETE /v1/execution/authorisations/:id. */
@Example({ success: true, deleted: ID })
export class RevokedAuthorisation {
  @Field.Boolean('Always true.') success!: boolean;
  @Field.Id('aut', 'Id of the revoked authorisation.') deleted!: string;
}
