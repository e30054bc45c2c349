import { Example, Field, Optional, POSITION_ID } from '../fields';
import { POSITION_SIDES, type PositionSide } from '../../position-sides';
import { BANDS, type Band } from '../../risk/bands';

const LOWER_ADDRESS = '^0x[0-9a-f]{40}$';
const SHA_256 = '^[0-9a-f]{64}$';
const BLOCK_HASH = '^0x[0-9a-f]{64}$';
const BYTES = '^0x([0-9a-f]{2})*$';

/** Forms of a receipt in a response. `full` includes the results of its calls. */
export const RECEIPT_FORMS = ['true', 'full'] as const;

export type ReceiptForm = (typeof RECEIPT_FORMS)[number];

export class ReceiptBlock {
  @Field.Integer('Number.', { min: 0 }) number!: number;
  @Field.Text('Hash.', { pattern: BLOCK_HASH }) hash!: string;
  @Field.Integer('Unix seconds.', { min: 0 }) timestamp!: number;
}

export class ReceiptPosition {
  @Field.Id('pos', 'Id of the position.') id!: string;
  @Field.Text('Protocol id.') protocol!: string;
  @Field.Text('Family of contracts that the protocol belongs to.') family!: string;
  @Field.Text('Market of the protocol on the chain.') market!: string;
  @Field.Text('Which of the wallet’s positions in the market. Empty where a wallet can have only one.')
  subId!: string;

  @Field.Text('Wallet, in lower case.', { pattern: LOWER_ADDRESS }) wallet!: string;
}

class ReceiptCall {
  @Field.Text('Contract, in lower case.', { pattern: LOWER_ADDRESS }) to!: string;
  @Field.Text('Data of the call.', { pattern: BYTES }) data!: string;
  @Field.Boolean('False: the call reverted.') ok!: boolean;

  @Field.Text('SHA-256 of the result, or of nothing for a call that reverted.', { pattern: SHA_256 })
  resultHash!: string;
}

export class ReceiptPrice {
  @Field.Text('Token, in lower case.', { pattern: LOWER_ADDRESS }) asset!: string;
  @Field.Text('Symbol.') symbol!: string;
  @Field.Text('Contract that stated the price, in lower case.', { pattern: LOWER_ADDRESS }) oracle!: string;
  @Field.Digits('Price of one whole token in the market’s base currency.') price!: string;
  @Field.Integer('Decimals of the price.', { min: 0 }) decimals!: number;
}

export class ReceiptInput {
  @Field.Text('Token, in lower case.', { pattern: LOWER_ADDRESS }) asset!: string;
  @Field.Word(POSITION_SIDES, 'Side of the token in the position.') side!: PositionSide;
  @Field.Digits('Amount in the token’s smallest unit.') amount!: string;
  @Field.Integer('Decimals of the amount.', { min: 0, max: 36 }) decimals!: number;
  @Field.Digits('Basis points of the value that count as weighted collateral.')
  liquidationThresholdBps!: string;

  @Field.Boolean('False: supplied, but not counted as collateral.') usedAsCollateral!: boolean;
}

export class ReceiptFormula {
  @Field.Text('Name of the published formula.') name!: string;
  @Field.Integer('Its version.', { min: 1 }) version!: number;
}

export class ReceiptOutputs {
  @Field.Digits('Collateral in the market’s base currency.') totalCollateral!: string;
  @Field.Digits('Debt in the market’s base currency.') totalDebt!: string;
  @Field.Digits('Health factor with 18 decimals. Null without debt.', { nullable: true })
  healthFactor!: string | null;
}

class ReceiptLiquidationPrice {
  @Field.Text('Token, in lower case.', { pattern: LOWER_ADDRESS }) asset!: string;
  @Field.Digits('With the decimals of its price. Null: no price does it.', { nullable: true })
  price!: string | null;
}

export class ReceiptPositionOutputs extends ReceiptOutputs {
  @Field.Object(
    () => ReceiptLiquidationPrice,
    'Of each input, in the same order: the price at which the health factor is 1 while all other prices stay.',
    { list: true },
  )
  liquidationPrices!: ReceiptLiquidationPrice[];

  @Field.Word(BANDS, 'Level of these figures, without hysteresis.') level!: Band;

  @Field.Digits(
    'Probability of liquidation within 7 days, with 18 decimals, where it decides the level. It is not proved. Null: the health factor decides.',
    { nullable: true },
  )
  probability7d!: string | null;
}

export class ReceiptContent {
  @Field.Integer('Version of the form: 1.', { min: 1 }) version!: number;
  @Field.Word(['position'], 'Kind of the reading.') kind!: 'position';
  @Field.Text('Release that made the reading.') build!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Object(() => ReceiptBlock, 'Block of the reading.') block!: ReceiptBlock;
  @Field.Object(() => ReceiptPosition, 'The position.') position!: ReceiptPosition;

  @Field.Text('Contracts of the market by name, in lower case.', { pattern: LOWER_ADDRESS, map: true })
  contracts!: Record<string, string>;

  @Field.Text('Sender of the calls, in lower case.', { pattern: LOWER_ADDRESS }) caller!: string;

  @Field.Object(
    () => ReceiptCall,
    'The calls that the formula reads, or all calls of the reading when there is no formula.',
    { list: true },
  )
  calls!: ReceiptCall[];

  @Field.Object(() => ReceiptPrice, 'Prices by the oracles of the protocol.', { list: true })
  prices!: ReceiptPrice[];

  @Field.Object(() => ReceiptInput, 'Amounts of the position.', { list: true }) inputs!: ReceiptInput[];

  @Field.Object(
    () => ReceiptFormula,
    'Formula that gives the outputs from the calls. Null: none is published for this position, and the receipt proves the results of its calls only.',
    { nullable: true },
  )
  formula!: ReceiptFormula | null;

  @Field.Object(() => ReceiptPositionOutputs, 'The figures.') outputs!: ReceiptPositionOutputs;
}

export class ReceiptSignature {
  @Field.Text('Id of a key in /.well-known/plimsoll-keys.json.') keyId!: string;
  @Field.Integer('When it was signed, in Unix milliseconds.', { min: 0 }) signedAt!: number;
  @Field.Text('Ed25519 signature in base64url.') value!: string;
}

/** A signed reading of a position: response of GET /v1/receipts/:hash, and part of the detail form of a position. */
@Example({
  content: {
    block: { hash: `0x${'5f'.repeat(32)}`, number: 24_100_207, timestamp: 1_795_262_400 },
    build: '1.0.0',
    caller: '0xca11bde05977b3631167028862be2a173976ca11',
    calls: [
      {
        data: '0x35ea6a75',
        ok: true,
        resultHash: 'ab'.repeat(32),
        to: '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2',
      },
    ],
    chainId: 1,
    contracts: { pool: '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2' },
    formula: { name: 'aave-v3', version: 1 },
    inputs: [
      {
        amount: '2500000000000000000',
        asset: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        decimals: 18,
        liquidationThresholdBps: '8250',
        side: 'collateral',
        usedAsCollateral: true,
      },
    ],
    kind: 'position',
    outputs: {
      healthFactor: '1237500000000000000',
      level: 'high',
      liquidationPrices: [{ asset: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', price: '242424242424' }],
      probability7d: null,
      totalCollateral: '750000000000',
      totalDebt: '500000000000',
    },
    position: {
      family: 'aave-v3',
      id: POSITION_ID,
      market: 'AaveV3Ethereum',
      protocol: 'aave-v3',
      subId: '',
      wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    },
    prices: [
      {
        asset: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        decimals: 8,
        oracle: '0x54586be62e3c3580375ae3723c145253060ca0c2',
        price: '300000000000',
        symbol: 'WETH',
      },
    ],
    version: 1,
  },
  hash: 'cd'.repeat(32),
  signature: { keyId: 'rck_01aBcDeFgHiJkLmNoPqRsT', signedAt: 1_795_262_401_000, value: 'A'.repeat(86) },
})
export class PositionReceipt {
  @Field.Object(() => ReceiptContent, 'The signed part.') content!: ReceiptContent;
  @Field.Text('SHA-256 of the canonical JSON (RFC 8785) of the content.', { pattern: SHA_256 }) hash!: string;

  @Optional()
  @Field.Text('Results of the calls, in their order. Only with receipt=full.', { list: true, pattern: BYTES })
  results?: string[];

  @Field.Object(() => ReceiptSignature, 'Our signature.') signature!: ReceiptSignature;
}

/** Part of a response that has a receipt on request. */
export class WithReceipt {
  @Optional()
  @Field.Object(() => PositionReceipt, 'Signed reading of the figures. Only with `receipt`.')
  receipt?: PositionReceipt;
}
