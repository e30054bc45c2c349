import { type Static, Type } from '@sinclair/typebox';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { DELEVERAGE_STRATEGIES, type DeleverageStrategy } from '../automation';
import {
  EXECUTION_MODES,
  EXECUTION_STEPS,
  type ExecutionMode,
  FAILURE_REASONS,
  ONCHAIN_STATUSES,
  type OnchainStatus,
} from '../execution';
import {
  digits,
  itemCount,
  nextCursor,
  nullable,
  oneOf,
  recordId,
  shownAddress,
  timestamp,
  usd,
} from './fields';
import { IsMoment } from './moment';
import { Optional } from './optional';
import { PageQuery } from './paging';
import { WALLET_SIGNATURE } from './wallet-signature';

/** Body of POST /v1/execution/deleverage. */
export class ExecuteDeleverageBody {
  @JSONSchema({ description: 'Id of the position.' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(64)
  positionId!: string;

  @JSONSchema({ description: 'Health factor to reach: above 1, at most 10.', exclusiveMinimum: 1 })
  @IsNumber()
  @Max(10)
  targetHealthFactor!: number;

  @JSONSchema({
    description:
      'simulate: the plan and its effect. build: also the unsigned transactions, for the wallet to sign. submit: sent through the executor contract, for a wallet that authorised it on chain.',
  })
  @IsIn(EXECUTION_MODES)
  mode!: ExecutionMode;

  @JSONSchema({
    description: 'Strategy. The default is repay_debt, from the wallet’s balance of the debt asset.',
  })
  @Optional()
  @IsIn(DELEVERAGE_STRATEGIES)
  strategy?: DeleverageStrategy;

  @JSONSchema({
    description:
      'Symbol of the collateral to sell. Absent: the one that needs the smallest sale. Not for repay_debt.',
  })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(32)
  asset?: string;

  @JSONSchema({
    description:
      'Most that a sale may lose against the protocol’s own oracle, including fees, in basis points.',
  })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(1_000)
  maxSlippageBps?: number;

  @JSONSchema({
    description: 'Latest time of sending, within 24 hours. Absent: 10 minutes from now.',
    format: 'date-time',
  })
  @Optional()
  @IsMoment()
  deadline?: string;

  @JSONSchema({
    description:
      'Only for submit: the wallet’s signature (EIP-191, or ERC-1271 for a contract) that lets this account run executions for it. Needed once. The error without it contains the text to sign.',
  })
  @Optional()
  @Matches(WALLET_SIGNATURE)
  walletSignature?: string;

  @JSONSchema({ description: 'Only for submit: true runs every step except sending.' })
  @Optional()
  @IsBoolean()
  dryRun?: boolean;
}

/** Query of GET /v1/execution/status. */
export class ExecutionStatusQuery extends PageQuery {
  @JSONSchema({ description: 'Id of an execution. Absent: the list of all.' })
  @Optional()
  @Matches(/^exec_[0-9A-Za-z]{22}$/)
  id?: string;

  @JSONSchema({ description: 'List only: executions of this position.' })
  @Optional()
  @Matches(/^pos_[0-9A-Za-z]{22}$/)
  positionId?: string;

  @JSONSchema({ description: 'List only: executions with this status.' })
  @Optional()
  @IsIn(ONCHAIN_STATUSES)
  status?: OnchainStatus;
}

const hash = (description: string) => Type.String({ pattern: '^0x[0-9a-f]{64}$', description });
const data = (description: string) => Type.String({ pattern: '^0x([0-9a-f]{2})*$', description });

/** A transaction that the wallet signs and sends, in order. */
export const UnsignedTransaction = Type.Object({
  description: Type.String({ description: 'Its effect, as text.' }),
  from: shownAddress('The wallet.'),
  to: shownAddress('The contract.'),
  data: data('Call data.'),
  value: digits('Native coins to send with it, in wei.'),
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  gas: digits('Gas limit: the simulated gas plus one half.'),
});
export type UnsignedTransaction = Static<typeof UnsignedTransaction>;

/** A permit (ERC-2612) that the wallet may sign instead of sending the approval. */
export const PermitAlternative = Type.Object({
  replaces: Type.Array(Type.Integer({ minimum: 0 }), {
    description: 'Indexes in `transactions` of those that this one transaction replaces.',
  }),
  typedData: Type.Object(
    {
      domain: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()])),
      types: Type.Record(
        Type.String(),
        Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
      ),
      primaryType: Type.String(),
      message: Type.Record(Type.String(), Type.String()),
    },
    { description: 'Typed data for the wallet to sign (EIP-712, eth_signTypedData_v4).' },
  ),
  transaction: UnsignedTransaction,
  signatureAt: Type.Object(
    {
      v: Type.Integer({ minimum: 0 }),
      r: Type.Integer({ minimum: 0 }),
      s: Type.Integer({ minimum: 0 }),
    },
    {
      description:
        'Byte offsets in the data of `transaction` for the 32-byte words v, r and s of the signature. They are zero there.',
    },
  ),
});
export type PermitAlternative = Static<typeof PermitAlternative>;

const amountOf = (what: string) =>
  Type.Object({
    asset: Type.String({ description: 'Symbol.' }),
    address: shownAddress('Token contract.'),
    amount: Type.Number({ description: `${what}, whole tokens.` }),
    amountRaw: digits(`${what}, in the token’s smallest unit.`),
    decimals: Type.Integer({ minimum: 0, maximum: 36, description: 'Decimals of amountRaw.' }),
    usdValue: usd('Value at the price of the protocol’s own oracle.'),
  });

/** Costs of a plan. The amounts already include every part. */
export const ExecutionCosts = Type.Object({
  gasUnits: Type.Integer({
    minimum: 0,
    description: 'Simulated gas of all transactions together.',
  }),
  feeUsd: usd('Fee of the swap.'),
  slippageUsd: usd('Most that the sale loses against the oracle in addition to the fee.'),
  flashPremiumUsd: usd('Premium of the flash loan; 0 without one.'),
});
export type ExecutionCosts = Static<typeof ExecutionCosts>;

/** Fees that a plan pays to others, in USD. The costs contain the slippage. */
export const ExecutionFees = Type.Object({
  gasPriceWei: digits('Gas price at the simulation, base fee and tip, in wei.'),
  nativeCurrency: Type.String({ description: 'Coin that pays the gas.', examples: ['ETH'] }),
  nativePriceUsd: nullable(
    Type.Number({ minimum: 0 }),
    'Price of that coin, USD. Null when GET /v1/prices has no fresh price.',
  ),
  gasUsd: nullable(
    Type.Number({ minimum: 0 }),
    'gasUnits at that price, USD. Null when nativePriceUsd is null. The sender of the transactions pays it.',
  ),
  swapFeeUsd: usd('Fee of the swap, as costs.feeUsd.'),
  flashPremiumUsd: usd('Premium of the flash loan, as costs.flashPremiumUsd.'),
  totalUsd: nullable(Type.Number({ minimum: 0 }), 'Sum of the three, USD. Null when gasUsd is null.'),
});
export type ExecutionFees = Static<typeof ExecutionFees>;

/** One step of an execution. */
export const ExecutionStep = Type.Object({
  name: oneOf(EXECUTION_STEPS, { description: 'What happened.' }),
  at: timestamp('When.'),
  detail: nullable(Type.String(), 'Details as text. Null when the name is sufficient.'),
  transactionHash: nullable(hash('A hash.'), 'The transaction. Null without one.'),
  block: nullable(Type.Integer({ minimum: 0 }), 'The block. Null without one.'),
});
export type ExecutionStep = Static<typeof ExecutionStep>;

const healthFactor = (description: string) => nullable(Type.Number({ minimum: 0 }), description);

/** An on-chain execution. */
export const ExecutionRecord = Type.Object({
  id: recordId('exec', 'Id of the execution.'),
  status: oneOf(ONCHAIN_STATUSES, {
    description:
      'Status. simulate is completed with its response. build is pending until the position reaches its target on chain (completed) or the deadline passes before that (cancelled).',
  }),
  mode: oneOf(EXECUTION_MODES, { description: 'As in the request.' }),
  dryRun: Type.Boolean({ description: 'True: every step except sending.' }),
  strategy: oneOf(DELEVERAGE_STRATEGIES, { description: 'Strategy.' }),
  positionId: recordId('pos', 'The position.'),
  protocol: Type.String({ description: 'Protocol id.' }),
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  market: Type.String({ description: 'Market of the protocol on this chain.' }),
  wallet: shownAddress('Wallet of the position.'),
  targetHealthFactor: Type.Number({ description: 'As in the request.' }),
  maxSlippageBps: Type.Integer({ minimum: 0, description: 'As in the request, in basis points.' }),
  deadline: timestamp('Latest time of sending.'),
  ruleId: nullable(
    recordId('rule', 'Id of a rule.'),
    'The rule that requested it. Null for a direct request.',
  ),
  block: nullable(
    Type.Integer({ minimum: 0 }),
    'Block of the last simulation. Null before it: an execution of a rule is simulated after it is accepted.',
  ),
  blockHash: nullable(hash('A hash.'), 'Hash of that block.'),
  healthFactorBefore: healthFactor('On that block. Null without debt and before the simulation.'),
  predictedHealthFactor: healthFactor(
    'After the simulated transactions. Null without remaining debt and before the simulation.',
  ),
  predictedHealthFactorRaw: nullable(digits('Wad.'), 'The same exact value with 18 decimals.'),
  healthFactorAfter: healthFactor(
    'Read at the block of the confirmed transaction, for build when the position reaches its target. Null before.',
  ),
  repays: Type.Array(amountOf('Debt repaid'), { description: 'Debt to repay.' }),
  sells: Type.Array(amountOf('Collateral to withdraw'), {
    description:
      'Collateral to withdraw and sell. None for repay_debt. The wallet receives what the swap leaves.',
  }),
  costs: ExecutionCosts,
  fees: nullable(
    ExecutionFees,
    'Priced fees. Null before the simulation, and for executions that an earlier release simulated.',
  ),
  transactions: Type.Array(UnsignedTransaction, {
    description: 'Only for build: transactions for the wallet to sign and send, in order.',
  }),
  permit: nullable(
    PermitAlternative,
    'An alternative with one transaction less. Null when the token has none.',
  ),
  transactionHash: nullable(hash('A hash.'), 'Only for submit: the newest sent transaction. Null before.'),
  includedBlock: nullable(Type.Integer({ minimum: 0 }), 'Its block. Null before.'),
  confirmations: Type.Integer({ minimum: 0, description: 'Blocks since then, including its own.' }),
  failure: nullable(
    Type.Object({
      code: oneOf(FAILURE_REASONS, { description: 'A stable word.' }),
      message: Type.String({ description: 'For people.' }),
    }),
    'Why it failed. Null otherwise.',
  ),
  steps: Type.Array(ExecutionStep, { description: 'Steps, oldest first.' }),
  createdAt: timestamp('When it was requested.'),
  updatedAt: timestamp('When it last changed.'),
});
export type ExecutionRecord = Static<typeof ExecutionRecord>;

/** Response of POST /v1/execution/deleverage, and of GET /v1/execution/status with an id. */
export const ExecutionAnswer = Type.Object({ execution: ExecutionRecord });
export type ExecutionAnswer = Static<typeof ExecutionAnswer>;

/** Response of GET /v1/execution/status: one execution with an id, otherwise a page of all. */
export const ExecutionStatusAnswer = Type.Object({
  execution: Type.Optional(ExecutionRecord),
  executions: Type.Optional(Type.Array(ExecutionRecord, { description: 'Newest first. Without id.' })),
  count: Type.Optional(itemCount),
  nextCursor: Type.Optional(nextCursor),
});
export type ExecutionStatusAnswer = Static<typeof ExecutionStatusAnswer>;
