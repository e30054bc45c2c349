import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsNumber, IsString, Max, MaxLength, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { DELEVERAGE_STRATEGIES, type DeleverageStrategy } from '../../automation';
import {
  EXECUTION_MODES,
  EXECUTION_STEPS,
  type ExecutionMode,
  type ExecutionStepName,
  FAILURE_REASONS,
  type FailureReason,
  ONCHAIN_STATUSES,
  type OnchainStatus,
} from '../../execution';
import {
  EXECUTION_ID,
  Example,
  Field,
  IsId,
  IsWalletSignature,
  IsMoment,
  Optional,
  POSITION_ID,
  PageQuery,
  TIMESTAMP,
  WALLET,
} from '../fields';
import { ExecutionCosts, ExecutionFees, PermitAlternative, UnsignedTransaction } from './transactions';

const HASH = '0x8e38b4dbf6b11fcc3b9dee84fb7986e29ca0a02cecd8977c161ff7333329681e';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const POOL = '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2';
const step = (name: string) => ({ name, at: TIMESTAMP, detail: null, transactionHash: null, block: null });
const EXECUTION = {
  id: EXECUTION_ID,
  status: 'pending',
  mode: 'build',
  dryRun: false,
  ruleId: null,
  strategy: 'repay_debt',
  positionId: POSITION_ID,
  protocol: 'aave-v3',
  chainId: 1,
  market: 'AaveV3Ethereum',
  wallet: WALLET,
  targetHealthFactor: 1.5,
  maxSlippageBps: 50,
  deadline: TIMESTAMP,
  block: 24_100_207,
  blockHash: HASH,
  healthFactorBefore: 1.2375,
  predictedHealthFactor: 1.500_015,
  predictedHealthFactorRaw: '1500015000000000000',
  healthFactorAfter: null,
  repays: [{ asset: 'USDC', address: USDC, amount: 875, amountRaw: '875000000', decimals: 6, usdValue: 875 }],
  sells: [],
  costs: { gasUnits: 243_118, feeUsd: 0, slippageUsd: 0, flashPremiumUsd: 0 },
  fees: {
    gasPriceWei: '2000000000',
    nativeCurrency: 'ETH',
    nativePriceUsd: 3_000,
    gasUsd: 1.46,
    swapFeeUsd: 0,
    flashPremiumUsd: 0,
    totalUsd: 1.46,
  },
  transactions: [
    {
      description: 'Repay 875.00 USDC to Aave v3 Pool',
      from: WALLET,
      to: POOL,
      data: '0x573ade81',
      value: '0',
      chainId: 1,
      gas: '384677',
    },
  ],
  permit: null,
  transactionHash: null,
  includedBlock: null,
  confirmations: 0,
  failure: null,
  steps: [step('accepted'), step('simulated'), step('built')],
  createdAt: TIMESTAMP,
  updatedAt: TIMESTAMP,
};

/** Body of POST /v1/execution/deleverage. */
@Example({ positionId: POSITION_ID, targetHealthFactor: 1.5, mode: 'build' })
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
  })
  @Optional()
  @IsMoment()
  deadline?: string;

  @JSONSchema({
    description:
      'Only for submit: the wallet’s signature (EIP-191, or ERC-1271 for a contract) that lets this account run executions for it for 30 days. It works once; the error without it contains the text to sign. POST /v1/execution/authorisations takes a signature with another end.',
  })
  @Optional()
  @IsWalletSignature()
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
  @IsId('exec')
  id?: string;

  @JSONSchema({ description: 'List only: executions of this position.' })
  @Optional()
  @IsId('pos')
  positionId?: string;

  @JSONSchema({ description: 'List only: executions with this status.' })
  @Optional()
  @IsIn(ONCHAIN_STATUSES)
  status?: OnchainStatus;
}

/** One step of an execution. */
export class ExecutionStep {
  @Field.Word(EXECUTION_STEPS, 'What happened.') name!: ExecutionStepName;
  @Field.Timestamp('When.') at!: string;
  @Field.Text('Details as text. Null when the name is sufficient.', { nullable: true }) detail!:
    string | null;

  @Field.Text('The transaction. Null without one.', { pattern: '^0x[0-9a-f]{64}$', nullable: true })
  transactionHash!: string | null;

  @Field.Integer('The block. Null without one.', { min: 0, nullable: true }) block!: number | null;
}

const healthFactor = (description: string) => Field.Number(description, { min: 0, nullable: true });

class TokenAmount {
  @Field.Text('Symbol.') asset!: string;
  @Field.Address('Token contract.') address!: string;
  @Field.Integer('Decimals of amountRaw.', { min: 0, max: 36 }) decimals!: number;
  @Field.Usd('Value at the price of the protocol’s own oracle.') usdValue!: number;
}

class RepaidAmount extends TokenAmount {
  @Field.Number('Debt repaid, whole tokens.') amount!: number;
  @Field.Digits('Debt repaid, in the token’s smallest unit.') amountRaw!: string;
}

class SoldAmount extends TokenAmount {
  @Field.Number('Collateral to withdraw, whole tokens.') amount!: number;
  @Field.Digits('Collateral to withdraw, in the token’s smallest unit.') amountRaw!: string;
}

class ExecutionFailure {
  @Field.Word(FAILURE_REASONS, 'A stable word.') code!: FailureReason;
  @Field.Text('For people.') message!: string;
}

/** An on-chain execution. */
export class ExecutionRecord {
  @Field.Id('exec', 'Id of the execution.') id!: string;

  @Field.Word(
    ONCHAIN_STATUSES,
    'Status. simulate is completed with its response. build is pending until the position reaches its target on chain (completed) or the deadline passes before that (cancelled).',
  )
  status!: OnchainStatus;

  @Field.Word(EXECUTION_MODES, 'As in the request.') mode!: ExecutionMode;
  @Field.Boolean('True: every step except sending.') dryRun!: boolean;
  @Field.Word(DELEVERAGE_STRATEGIES, 'Strategy.') strategy!: DeleverageStrategy;
  @Field.Id('pos', 'The position.') positionId!: string;
  @Field.Text('Protocol id.') protocol!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Text('Market of the protocol on this chain.') market!: string;
  @Field.Address('Wallet of the position.') wallet!: string;
  @Field.Number('As in the request.') targetHealthFactor!: number;
  @Field.Integer('As in the request, in basis points.', { min: 0 }) maxSlippageBps!: number;
  @Field.Timestamp('Latest time of sending.') deadline!: string;

  @Field.Id('rule', 'The rule that requested it. Null for a direct request.', { nullable: true })
  ruleId!: string | null;

  @Field.Integer(
    'Block of the last simulation. Null before it: an execution of a rule is simulated after it is accepted.',
    { min: 0, nullable: true },
  )
  block!: number | null;

  @Field.Text('Hash of that block.', { pattern: '^0x[0-9a-f]{64}$', nullable: true })
  blockHash!: string | null;

  @healthFactor('On that block. Null without debt and before the simulation.')
  healthFactorBefore!: number | null;

  @healthFactor('After the simulated transactions. Null without remaining debt and before the simulation.')
  predictedHealthFactor!: number | null;

  @Field.Digits('The same exact value with 18 decimals.', { nullable: true })
  predictedHealthFactorRaw!: string | null;

  @healthFactor(
    'Read at the block of the confirmed transaction, for build when the position reaches its target. Null before.',
  )
  healthFactorAfter!: number | null;

  @Field.Object(() => RepaidAmount, 'Debt to repay.', { list: true })
  repays!: RepaidAmount[];

  @Field.Object(
    () => SoldAmount,
    'Collateral to withdraw and sell. None for repay_debt. The wallet receives what the swap leaves.',
    { list: true },
  )
  sells!: SoldAmount[];

  @Field.Object(() => ExecutionCosts, 'Costs of the plan.') costs!: ExecutionCosts;

  @Field.Object(
    () => ExecutionFees,
    'Priced fees. Null before the simulation, and for executions that an earlier release simulated.',
    { nullable: true },
  )
  fees!: ExecutionFees | null;

  @Field.Object(
    () => UnsignedTransaction,
    'Only for build: transactions for the wallet to sign and send, in order.',
    { list: true },
  )
  transactions!: UnsignedTransaction[];

  @Field.Object(
    () => PermitAlternative,
    'An alternative with one transaction less. Null when the token has none.',
    { nullable: true },
  )
  permit!: PermitAlternative | null;

  @Field.Text('Only for submit: the newest sent transaction. Null before.', {
    pattern: '^0x[0-9a-f]{64}$',
    nullable: true,
  })
  transactionHash!: string | null;

  @Field.Integer('Its block. Null before.', { min: 0, nullable: true }) includedBlock!: number | null;
  @Field.Integer('Blocks since then, including its own.', { min: 0 }) confirmations!: number;

  @Field.Object(() => ExecutionFailure, 'Why it failed. Null otherwise.', { nullable: true })
  failure!: ExecutionFailure | null;

  @Field.Object(() => ExecutionStep, 'Steps, oldest first.', { list: true }) steps!: ExecutionStep[];
  @Field.Timestamp('When it was requested.') createdAt!: string;
  @Field.Timestamp('When it last changed.') updatedAt!: string;
}

/** Response of POST /v1/execution/deleverage, and of GET /v1/execution/status with an id. */
@Example({ execution: EXECUTION })
export class ExecutionAnswer {
  @Field.Object(() => ExecutionRecord, 'The execution.') execution!: ExecutionRecord;
}

/** Response of GET /v1/execution/status: one execution with an id, otherwise a page of all. */
@Example({ executions: [EXECUTION], count: 1, nextCursor: null })
export class ExecutionStatusAnswer {
  @Optional()
  @Field.Object(() => ExecutionRecord, 'The execution with this id.')
  execution?: ExecutionRecord;

  @Optional()
  @Field.Object(() => ExecutionRecord, 'Newest first. Without id.', { list: true })
  executions?: ExecutionRecord[];

  @Optional() @Field.ItemCount() count?: number;
  @Optional() @Field.NextCursor() nextCursor?: string | null;
}
