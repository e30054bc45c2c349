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
      'simulate: what it would do. build: the unsigned transactions as well, for the wallet to sign. submit: sent through the executor contract, for a wallet that has authorised it on chain.',
  })
  @IsIn(EXECUTION_MODES)
  mode!: ExecutionMode;

  @JSONSchema({ description: 'repay_debt unless given: out of what the wallet holds of the debt.' })
  @Optional()
  @IsIn(DELEVERAGE_STRATEGIES)
  strategy?: DeleverageStrategy;

  @JSONSchema({
    description:
      'Symbol of the collateral to sell. Absent: the one of which the least must be sold. repay_debt takes none.',
  })
  @Optional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(32)
  asset?: string;

  @JSONSchema({
    description: 'Most that a sale may lose against the protocol’s own oracle, fees included, basis points.',
  })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(1_000)
  maxSlippageBps?: number;

  @JSONSchema({
    description: 'Until when it may be sent: within 24 hours. Absent: 10 minutes from now.',
    format: 'date-time',
  })
  @Optional()
  @IsMoment()
  deadline?: string;

  @JSONSchema({
    description:
      'submit alone: the wallet’s signature (EIP-191, or ERC-1271 of a contract) that lets this account run executions for it; needed once. What it signs stands in the refusal without it.',
  })
  @Optional()
  @Matches(WALLET_SIGNATURE)
  walletSignature?: string;

  @JSONSchema({ description: 'submit alone: true does everything but send.' })
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

  @JSONSchema({ description: 'Of the list: executions of this position only.' })
  @Optional()
  @Matches(/^pos_[0-9A-Za-z]{22}$/)
  positionId?: string;

  @JSONSchema({ description: 'Of the list: executions with this status only.' })
  @Optional()
  @IsIn(ONCHAIN_STATUSES)
  status?: OnchainStatus;
}

const hash = (description: string) => Type.String({ pattern: '^0x[0-9a-f]{64}$', description });
const data = (description: string) => Type.String({ pattern: '^0x([0-9a-f]{2})*$', description });

/** A transaction that the wallet signs and sends, in order. */
export const UnsignedTransaction = Type.Object({
  description: Type.String({ description: 'What it does, for people.' }),
  from: shownAddress('The wallet.'),
  to: shownAddress('The contract.'),
  data: data('Call data.'),
  value: digits('Coins sent along, in wei.'),
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  gas: digits('Gas limit: what the simulation took, and half as much again.'),
});
export type UnsignedTransaction = Static<typeof UnsignedTransaction>;

/** A permit (ERC-2612) that the wallet may sign instead of sending the approval. */
export const PermitAlternative = Type.Object({
  replaces: Type.Array(Type.Integer({ minimum: 0 }), {
    description: 'Places in `transactions` of those that this one transaction stands for.',
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
    { description: 'To be signed by the wallet (EIP-712, eth_signTypedData_v4).' },
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
        'Byte offsets in the data of `transaction` of the 32-byte words that v, r and s of the signature go to; they are zero there.',
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
    description: 'Gas that the simulation took, all transactions together.',
  }),
  feeUsd: usd('Fee of the swap.'),
  slippageUsd: usd('What the sale loses against the oracle beside the fee, at most.'),
  flashPremiumUsd: usd('Premium of the flash loan; 0 without one.'),
});
export type ExecutionCosts = Static<typeof ExecutionCosts>;

/** Fees that a plan pays to others, in USD. The costs contain the slippage. */
export const ExecutionFees = Type.Object({
  gasPriceWei: digits('Price of a unit of gas when it was simulated, base fee and tip, in wei.'),
  nativeCurrency: Type.String({ description: 'Coin that gas is paid in.', examples: ['ETH'] }),
  nativePriceUsd: nullable(
    Type.Number({ minimum: 0 }),
    'Price of that coin, USD; null where GET /v1/prices has no fresh one.',
  ),
  gasUsd: nullable(
    Type.Number({ minimum: 0 }),
    'gasUnits at that price, USD; null with nativePriceUsd. Who sends the transactions pays it.',
  ),
  swapFeeUsd: usd('Fee of the swap; as costs.feeUsd.'),
  flashPremiumUsd: usd('Premium of the flash loan; as costs.flashPremiumUsd.'),
  totalUsd: nullable(Type.Number({ minimum: 0 }), 'The three together, USD; null with gasUsd.'),
});
export type ExecutionFees = Static<typeof ExecutionFees>;

/** One step of an execution. */
export const ExecutionStep = Type.Object({
  name: oneOf(EXECUTION_STEPS, { description: 'What happened.' }),
  at: timestamp('When.'),
  detail: nullable(Type.String(), 'For people; null where the name says it all.'),
  transactionHash: nullable(hash('A hash.'), 'The transaction; null where there is none.'),
  block: nullable(Type.Integer({ minimum: 0 }), 'The block; null where there is none.'),
});
export type ExecutionStep = Static<typeof ExecutionStep>;

const healthFactor = (description: string) => nullable(Type.Number({ minimum: 0 }), description);

/** An on-chain execution. */
export const ExecutionRecord = Type.Object({
  id: recordId('exec', 'Id of the execution.'),
  status: oneOf(ONCHAIN_STATUSES, {
    description:
      'How far it is. simulate is completed when it is answered. build is pending until the position is at its target on chain (completed) or the deadline passes before (cancelled).',
  }),
  mode: oneOf(EXECUTION_MODES, { description: 'As asked for.' }),
  dryRun: Type.Boolean({ description: 'True: everything but the sending.' }),
  strategy: oneOf(DELEVERAGE_STRATEGIES, { description: 'How it gets there.' }),
  positionId: recordId('pos', 'The position.'),
  protocol: Type.String({ description: 'Protocol id.' }),
  chainId: Type.Integer({ minimum: 1, description: 'Chain id (EIP-155).' }),
  market: Type.String({ description: 'Market of the protocol on this chain.' }),
  wallet: shownAddress('Wallet that holds the position.'),
  targetHealthFactor: Type.Number({ description: 'As asked for.' }),
  maxSlippageBps: Type.Integer({ minimum: 0, description: 'As asked for, basis points.' }),
  deadline: timestamp('Until when it may be sent.'),
  ruleId: nullable(recordId('rule', 'Id of a rule.'), 'The rule that asked for it; null for a call.'),
  block: nullable(
    Type.Integer({ minimum: 0 }),
    'Block on which it was simulated last; null where it was not: what a rule asks for is simulated after it is accepted.',
  ),
  blockHash: nullable(hash('A hash.'), 'Hash of that block.'),
  healthFactorBefore: healthFactor('On that block; null without debt, and before it was simulated.'),
  predictedHealthFactor: healthFactor(
    'After the simulated transactions; null where no debt is left, and before it was simulated.',
  ),
  predictedHealthFactorRaw: nullable(digits('Wad.'), 'The same, exact, with 18 decimals.'),
  healthFactorAfter: healthFactor(
    'Read at the block of the transaction once it is confirmed, of a build when the position is at its target; null before.',
  ),
  repays: Type.Array(amountOf('Debt repaid'), { description: 'Debt that is repaid.' }),
  sells: Type.Array(amountOf('Collateral taken out'), {
    description:
      'Collateral that is taken out and sold; none under repay_debt. What the swap leaves of it goes to the wallet.',
  }),
  costs: ExecutionCosts,
  fees: nullable(
    ExecutionFees,
    'Priced fees; null before it was simulated, and of executions that an earlier release simulated.',
  ),
  transactions: Type.Array(UnsignedTransaction, {
    description: 'build alone: to be signed and sent by the wallet, in order.',
  }),
  permit: nullable(PermitAlternative, 'A way with one transaction less; null where the token has none.'),
  transactionHash: nullable(hash('A hash.'), 'submit alone: the newest transaction sent; null before.'),
  includedBlock: nullable(Type.Integer({ minimum: 0 }), 'Block that it is in; null before.'),
  confirmations: Type.Integer({ minimum: 0, description: 'Blocks since, its own included.' }),
  failure: nullable(
    Type.Object({
      code: oneOf(FAILURE_REASONS, { description: 'A stable word.' }),
      message: Type.String({ description: 'For people.' }),
    }),
    'Why it failed; null where it did not.',
  ),
  steps: Type.Array(ExecutionStep, { description: 'What happened, oldest first.' }),
  createdAt: timestamp('When it was asked for.'),
  updatedAt: timestamp('When it last changed.'),
});
export type ExecutionRecord = Static<typeof ExecutionRecord>;

/** Response of POST /v1/execution/deleverage, and of GET /v1/execution/status with an id. */
export const ExecutionAnswer = Type.Object({ execution: ExecutionRecord });
export type ExecutionAnswer = Static<typeof ExecutionAnswer>;

/** Response of GET /v1/execution/status: one execution with an id, otherwise a page of all. */
export const ExecutionStatusAnswer = Type.Object({
  execution: Type.Optional(ExecutionRecord),
  executions: Type.Optional(Type.Array(ExecutionRecord, { description: 'Newest first; without id.' })),
  count: Type.Optional(itemCount),
  nextCursor: Type.Optional(nextCursor),
});
export type ExecutionStatusAnswer = Static<typeof ExecutionStatusAnswer>;
