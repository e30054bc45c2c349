import {
  ExecuteDeleverageBody,
  ExecutionAnswer,
  ExecutionStatusAnswer,
  ExecutionStatusQuery,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { EXECUTION_ID, POSITION_ID, TIMESTAMP, WALLET } from './samples';

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const POOL = '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2';
const HASH = '0x8e38b4dbf6b11fcc3b9dee84fb7986e29ca0a02cecd8977c161ff7333329681e';
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

export const executionOperations: Operations = {
  'POST /v1/execution/deleverage': {
    operationId: 'executeDeleverage',
    tag: 'Execution',
    summary: 'Bring a position to a health factor on chain',
    description:
      'The service reads the position on the newest block, computes the amounts in whole numbers, and simulates the transactions on that block. simulate returns the effect. build also returns the unsigned transactions, which the wallet signs and sends in order; this service holds no key of a user. submit sends a run of the executor contract for a wallet that has a policy there and has signed that this account may request it. Its response is pending, and GET /v1/execution/status reports the progress. A position has one execution in flight. Where the token supports a permit, `permit` is an alternative with one transaction less. repay_debt repays from the wallet’s balance of the debt asset. sell_collateral withdraws collateral and swaps it for the exact repayment, in several rounds when one withdrawal would make the position unsafe; it needs a supported exchange on the chain. flash_loan_unwind is available for submit. A request that can never be executed is a 400 `unsupported_execution`, and `errors` states the part. A request that the state of the chain forbids now is a 409 `execution_refused` with the reason as the code of its first error: no_debt, target_reached, infeasible, insufficient_balance, simulation_reverted, target_missed (more than 0.1 % from the target), slippage_exceeded, stale_block, price_mismatch (the protocol’s price and GET /v1/prices differ by more than 2 %), price_unknown, switched_off, not_authorised, executor_refused.',
    body: ExecuteDeleverageBody,
    bodyExample: { positionId: POSITION_ID, targetHealthFactor: 1.5, mode: 'build' },
    responses: [
      {
        status: 202,
        description: 'The execution.',
        schema: ExecutionAnswer,
        example: { execution: EXECUTION },
      },
    ],
    errors: ['not_found', 'unsupported_execution', 'execution_refused', 'conflict'],
    idempotent: true,
  },
  'GET /v1/execution/status': {
    operationId: 'getExecutionStatus',
    tag: 'Execution',
    summary: 'One execution, or all of the account',
    description:
      'With `id`: one execution, under `execution`. Without it: a page of all, newest first, under `executions`.',
    query: ExecutionStatusQuery,
    responses: [
      {
        status: 200,
        description: 'The execution, or a page.',
        schema: ExecutionStatusAnswer,
        example: { executions: [EXECUTION], count: 1, nextCursor: null },
      },
    ],
    errors: ['not_found'],
  },
};
