import { Type as Convert } from 'class-transformer';
import { IsInt, IsString, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { BLOCK, Combined, CsvOf, Example, Field, Optional, WALLET } from '../fields';
import { BlockStamp } from '../positions/positions';

/** Reasons for which a balance is unknown. */
export const UNKNOWN_BALANCES = [
  'unconfigured',
  'chain_unavailable',
  'tokens_not_read',
  'too_many_tokens',
  'not_stated',
] as const;

export type UnknownBalanceReason = (typeof UNKNOWN_BALANCES)[number];

/** Most contracts that a request may name. */
export const MOST_NAMED_TOKENS = 20;

/** Query of GET /v1/wallets/:address/balances. */
export class WalletBalancesQuery {
  @JSONSchema({
    description: 'Only this chain, as in GET /v1/chains. Absent: every chain with a node.',
  })
  @Optional()
  @Convert(() => Number)
  @IsInt()
  @Min(1)
  chainId?: number;

  @JSONSchema({
    description: `Contracts of further tokens on the chain of chainId, which must be present: up to ${MOST_NAMED_TOKENS}, comma-separated. Shares of an ERC-4626 vault that no followed market takes are such a token. A mixed-case address must have the EIP-55 checksum.`,
    pattern: '^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40})*$',
  })
  @Optional()
  @IsString()
  @MaxLength(1_024)
  token?: string;
}

/** The assets that the shares of a vault are worth. */
export class VaultAssets {
  @Field.Text('Symbol of the asset of the vault.', { example: 'USDC' }) asset!: string;
  @Field.Address('Contract of that asset, as `asset()` of the vault states it.') address!: string;
  @Field.Digits('`convertToAssets` of the shares at the block, in raw units.') amountRaw!: string;
  @Field.Integer('Decimals of the asset.', { min: 0, max: 36 }) decimals!: number;
  @Field.Number('The same in whole tokens, as a double. amountRaw is exact.', { min: 0 }) amount!: number;
}

/** A token that a wallet holds. */
export class WalletBalance {
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Text('Symbol of the token, as its contract states it.', { example: 'USDC' }) asset!: string;
  @Field.Address('Contract of the token. The zero address is the chain’s own coin.') address!: string;
  @Field.Digits('`balanceOf` of the wallet at the block, in raw units.') amountRaw!: string;
  @Field.Integer('Decimals of the token.', { min: 0, max: 36 }) decimals!: number;
  @Field.Number('The same in whole tokens, as a double. amountRaw is exact.', { min: 0 }) amount!: number;

  @Field.Object(
    () => VaultAssets,
    'The assets behind the shares of an ERC-4626 vault. Null: the token is no such vault, or the vault does not state them.',
    { nullable: true },
  )
  vault!: VaultAssets | null;
}

/** A balance that may exist and is unknown. */
export class UnknownBalance {
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Text(
    'Symbol of the token, or the address of one that the request named. Null: all tokens of the chain.',
    { nullable: true },
  )
  asset!: string | null;
  @Field.Address('Contract of the token. Null with asset.', { nullable: true }) address!: string | null;

  @Field.Word(
    UNKNOWN_BALANCES,
    'unconfigured: the chain has no node here. chain_unavailable: it cannot be read now. tokens_not_read: the tokens of its markets are not known yet. too_many_tokens: the chain has more tokens than one response reads. not_stated: the token does not state its decimals or the balance.',
  )
  reason!: UnknownBalanceReason;
}

/** Response of GET /v1/wallets/:address/balances. */
@Example({
  address: WALLET,
  balances: [
    {
      chainId: 1,
      asset: 'sUSDe',
      address: '0x9D39A5DE30e57443BfF2A8307A4256c8797A3497',
      amountRaw: '1500000000000000000000',
      decimals: 18,
      amount: 1_500,
      vault: {
        asset: 'USDe',
        address: '0x4c9EDD5852cd905f086C759E8383e09bff1E68B3',
        amountRaw: '1784250000000000000000',
        decimals: 18,
        amount: 1_784.25,
      },
    },
  ],
  unknown: [{ chainId: 10, asset: null, address: null, reason: 'chain_unavailable' }],
  ...BLOCK,
})
@CsvOf('balances')
export class WalletBalances extends Combined(BlockStamp) {
  @Field.Address('The wallet.') address!: string;

  @Field.Object(() => WalletBalance, 'By chain and symbol. Tokens without a balance are absent.', {
    list: true,
  })
  balances!: WalletBalance[];

  @Field.Object(() => UnknownBalance, 'Balances that are unknown. Empty when all were read.', { list: true })
  unknown!: UnknownBalance[];
}
