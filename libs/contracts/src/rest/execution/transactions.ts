import { Type, type Static } from '@sinclair/typebox';
import { Field } from '../fields';

const data = (description: string) => Field.Text(description, { pattern: '^0x([0-9a-f]{2})*$' });

/** A transaction that the wallet signs and sends, in order. */
export class UnsignedTransaction {
  @Field.Text('Its effect, as text.') description!: string;
  @Field.Address('The wallet.') from!: string;
  @Field.Address('The contract.') to!: string;
  @data('Call data.') data!: string;
  @Field.Digits('Native coins to send with it, in wei.') value!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Digits('Gas limit: the simulated gas plus one half.') gas!: string;
}

/** Typed data of EIP-712. */
const typedData = Type.Object({
  domain: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]), {
    description: 'The contract and chain for which the signature is valid.',
  }),
  types: Type.Record(
    Type.String(),
    Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the field.' }),
        type: Type.String({ description: 'Solidity type of the field.' }),
      }),
    ),
    { description: 'Fields of each type by its name.' },
  ),
  primaryType: Type.String({ description: 'The type of message.' }),
  message: Type.Record(Type.String(), Type.String(), { description: 'Values of the fields to sign.' }),
});

class SignatureOffsets {
  @Field.Integer('Offset of v.', { min: 0 }) v!: number;
  @Field.Integer('Offset of r.', { min: 0 }) r!: number;
  @Field.Integer('Offset of s.', { min: 0 }) s!: number;
}

/** A permit (ERC-2612) that the wallet may sign instead of sending the approval. */
export class PermitAlternative {
  @Field.Integer('Indexes in `transactions` of those that this one transaction replaces.', {
    min: 0,
    list: true,
  })
  replaces!: number[];

  @Field.Shape(typedData, 'Typed data for the wallet to sign (EIP-712, eth_signTypedData_v4).')
  typedData!: Static<typeof typedData>;

  @Field.Object(() => UnsignedTransaction, 'The transaction that carries the signature.')
  transaction!: UnsignedTransaction;

  @Field.Object(
    () => SignatureOffsets,
    'Byte offsets in the data of `transaction` for the 32-byte words v, r and s of the signature. They are zero there.',
  )
  signatureAt!: SignatureOffsets;
}

/** Costs of a plan. The amounts already include every part. */
export class ExecutionCosts {
  @Field.Integer('Simulated gas of all transactions together.', { min: 0 }) gasUnits!: number;
  @Field.Usd('Fee of the swap.') feeUsd!: number;
  @Field.Usd('Most that the sale loses against the oracle in addition to the fee.') slippageUsd!: number;
  @Field.Usd('Premium of the flash loan; 0 without one.') flashPremiumUsd!: number;
}

/** Fees that a plan pays to others, in USD. The costs contain the slippage. */
export class ExecutionFees {
  @Field.Digits('Gas price at the simulation, base fee and tip, in wei.') gasPriceWei!: string;
  @Field.Text('Coin that pays the gas.', { example: 'ETH' }) nativeCurrency!: string;

  @Field.Number('Price of that coin, USD. Null when GET /v1/prices has no fresh price.', {
    min: 0,
    nullable: true,
  })
  nativePriceUsd!: number | null;

  @Field.Number(
    'gasUnits at that price, USD. Null when nativePriceUsd is null. The sender of the transactions pays it.',
    { min: 0, nullable: true },
  )
  gasUsd!: number | null;

  @Field.Usd('Fee of the swap, as costs.feeUsd.') swapFeeUsd!: number;
  @Field.Usd('Premium of the flash loan, as costs.flashPremiumUsd.') flashPremiumUsd!: number;

  @Field.Number('Sum of the three, USD. Null when gasUsd is null.', { min: 0, nullable: true })
  totalUsd!: number | null;
}
