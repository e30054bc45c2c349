import { Type, type Static } from '@sinclair/typebox';
import {
  AddressField,
  DigitsField,
  IntegerField,
  NumberField,
  ObjectField,
  ShapeField,
  TextField,
  UsdField,
} from '../fields/fields';

const data = (description: string) => TextField(description, { pattern: '^0x([0-9a-f]{2})*$' });

/** A transaction that the wallet signs and sends, in order. */
export class UnsignedTransaction {
  @TextField('Its effect, as text.') description!: string;
  @AddressField('The wallet.') from!: string;
  @AddressField('The contract.') to!: string;
  @data('Call data.') data!: string;
  @DigitsField('Native coins to send with it, in wei.') value!: string;
  @IntegerField('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @DigitsField('Gas limit: the simulated gas plus one half.') gas!: string;
}

/** Typed data of EIP-712. */
const typedData = Type.Object({
  domain: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()])),
  types: Type.Record(Type.String(), Type.Array(Type.Object({ name: Type.String(), type: Type.String() }))),
  primaryType: Type.String(),
  message: Type.Record(Type.String(), Type.String()),
});

class SignatureOffsets {
  @IntegerField(undefined, { min: 0 }) v!: number;
  @IntegerField(undefined, { min: 0 }) r!: number;
  @IntegerField(undefined, { min: 0 }) s!: number;
}

/** A permit (ERC-2612) that the wallet may sign instead of sending the approval. */
export class PermitAlternative {
  @IntegerField('Indexes in `transactions` of those that this one transaction replaces.', {
    min: 0,
    list: true,
  })
  replaces!: number[];

  @ShapeField(typedData, 'Typed data for the wallet to sign (EIP-712, eth_signTypedData_v4).')
  typedData!: Static<typeof typedData>;

  @ObjectField(() => UnsignedTransaction) transaction!: UnsignedTransaction;

  @ObjectField(
    () => SignatureOffsets,
    'Byte offsets in the data of `transaction` for the 32-byte words v, r and s of the signature. They are zero there.',
  )
  signatureAt!: SignatureOffsets;
}

/** Costs of a plan. The amounts already include every part. */
export class ExecutionCosts {
  @IntegerField('Simulated gas of all transactions together.', { min: 0 }) gasUnits!: number;
  @UsdField('Fee of the swap.') feeUsd!: number;
  @UsdField('Most that the sale loses against the oracle in addition to the fee.') slippageUsd!: number;
  @UsdField('Premium of the flash loan; 0 without one.') flashPremiumUsd!: number;
}

/** Fees that a plan pays to others, in USD. The costs contain the slippage. */
export class ExecutionFees {
  @DigitsField('Gas price at the simulation, base fee and tip, in wei.') gasPriceWei!: string;
  @TextField('Coin that pays the gas.', { example: 'ETH' }) nativeCurrency!: string;

  @NumberField('Price of that coin, USD. Null when GET /v1/prices has no fresh price.', {
    min: 0,
    nullable: true,
  })
  nativePriceUsd!: number | null;

  @NumberField(
    'gasUnits at that price, USD. Null when nativePriceUsd is null. The sender of the transactions pays it.',
    { min: 0, nullable: true },
  )
  gasUsd!: number | null;

  @UsdField('Fee of the swap, as costs.feeUsd.') swapFeeUsd!: number;
  @UsdField('Premium of the flash loan, as costs.flashPremiumUsd.') flashPremiumUsd!: number;

  @NumberField('Sum of the three, USD. Null when gasUsd is null.', { min: 0, nullable: true })
  totalUsd!: number | null;
}
