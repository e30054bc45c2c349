import {
  type Band,
  type PositionV1,
  type WalletV1,
  positionId,
  type ExecutionV1,
  derivedId,
  type WhaleV1,
  newId,
} from '@plimsoll/contracts';

const HEALTH_FACTORS: Record<Band, number | null> = {
  none: null,
  low: 3,
  moderate: 1.6,
  high: 1.2,
  critical: 1.03,
  liquidatable: 0.97,
};

/** A position of a wallet as position.v1 carries it, at a band, with a matching health factor. */
export function samplePosition(
  wallet: string,
  sequence: number,
  band: Band,
  over: Partial<PositionV1> = {},
): PositionV1 {
  const healthFactor = HEALTH_FACTORS[band];
  const key = { protocol: 'aave-v3', chainId: 1, market: 'AaveV3Local', subId: '', wallet };
  return {
    ...key,
    id: positionId(key),
    sequence,
    legs: [],
    healthFactorRaw:
      healthFactor === null ? null : String(BigInt(Math.round(healthFactor * 1e6)) * 10n ** 12n),
    healthFactor,
    previousHealthFactor: null,
    totalCollateralRaw: '750000000000',
    totalDebtRaw: healthFactor === null ? '0' : '500000000000',
    baseDecimals: 8,
    totalCollateralUsd: 7_500,
    totalDebtUsd: healthFactor === null ? 0 : 5_000,
    band,
    previousBand: null,
    block: 100 + sequence,
    blockHash: `0x${sequence.toString(16).padStart(64, '0')}`,
    blockTime: '2026-11-21T12:00:00.000Z',
    reason: 'band',
    material: true,
    closed: false,
    ...over,
  };
}

/** An account that watches a wallet, as wallet.v1 carries it. */
export function sampleWatch(accountId: string, wallet: string, enabled = true): WalletV1 {
  return { accountId, wallet, enabled, watchedSince: '2026-11-21T12:00:00.000Z' };
}

/** A lower-case address that differs for every number. */
export function sampleWallet(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

/** execution.v1 of a run on Aave v3 that is in progress. */
export function sampleExecution(over: Partial<ExecutionV1> = {}): ExecutionV1 {
  return {
    executionId: derivedId('exec', 1),
    accountId: derivedId('acc', 1),
    positionId: derivedId('pos', 1),
    protocol: 'aave-v3',
    chainId: 1,
    wallet: `0x${'7'.repeat(40)}`,
    strategy: 'flash_loan_unwind',
    dryRun: false,
    sequence: 1,
    status: 'running',
    targetHealthFactor: 1.5,
    healthFactorBefore: 1.08,
    healthFactorAfter: null,
    transactionHash: null,
    block: null,
    confirmations: 0,
    failure: null,
    at: '2026-11-22T12:00:00.000Z',
    ...over,
  };
}

const HASH = `0x${'1'.repeat(64)}`;

/** A withdrawal of 500 WETH by a wallet just now, as whale.v1 carries it. */
export function sampleMove(wallet: string, over: Partial<WhaleV1> = {}): WhaleV1 {
  return {
    activityId: newId('act'),
    status: 'observed',
    wallet,
    counterparty: null,
    action: 'withdraw',
    protocol: 'aave-v3',
    chainId: 1,
    market: 'AaveV3Local',
    asset: 'WETH',
    assetAddress: `0x${'e'.repeat(40)}`,
    amount: 500,
    amountRaw: '500000000000000000000',
    decimals: 18,
    usdValue: 1_500_000,
    priceBasis: 'block',
    block: 10,
    blockHash: HASH,
    transactionHash: HASH,
    logIndex: 1,
    timestamp: new Date().toISOString(),
    ...over,
  };
}
