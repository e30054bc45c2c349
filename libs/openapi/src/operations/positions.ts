import {
  BatchPositionsBody,
  ListPositionsQuery,
  PositionBatch,
  PositionDetail,
  PositionList,
  PositionScan,
  RISK_THRESHOLDS,
  ScanPositionsBody,
  recordId,
  riskLevelOf,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { ALL_READ, BLOCK, POSITION_ID, TIMESTAMP, WALLET } from './samples';

const LISTED = {
  id: POSITION_ID,
  protocol: 'aave-v3',
  chainId: 1,
  market: 'AaveV3Ethereum',
  wallet: WALLET,
  healthFactor: 1.2375,
  healthFactorRaw: '1237500000000000000',
  totalCollateralUsd: 7_500,
  totalDebtUsd: 5_000,
  totalSuppliedUsd: 7_500,
  netWorthUsd: 2_500,
  isDust: false,
  ...riskLevelOf(1.2375, null),
  probability7d: null,
  flags: [],
};
const COLLATERAL = {
  asset: 'WETH',
  amount: 2.5,
  usdValue: 7_500,
  address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  amountRaw: '2500000000000000000',
  decimals: 18,
  priceRaw: '300000000000',
  priceDecimals: 8,
  priceUsd: 3_000,
  oracle: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
  liquidationThresholdBps: 8_250,
  usedAsCollateral: true,
  supplyRate: 0.018,
};
const DEBT = {
  asset: 'USDC',
  amount: 5_000,
  usdValue: 5_000,
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  amountRaw: '5000000000',
  decimals: 6,
  priceRaw: '100000000',
  priceDecimals: 8,
  priceUsd: 1,
  oracle: '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6',
  borrowRate: 0.058,
};

const LATE =
  'Each chain has 4 seconds. A slow or failing chain does not delay the others. It is named in `unreadable`, and the last known positions of watched wallets appear with their own `block`. An account runs at most 4 scans and batches at the same time (enterprise 16). More wait up to 5 s and then receive 503.';

export const positionOperations: Operations = {
  'GET /v1/positions': {
    operationId: 'listPositions',
    tag: 'Positions',
    summary: 'Positions of wallets',
    description:
      'Every open position of the given wallets, or of the account’s watched wallets, lowest health factor first. Positions are public, so any wallet is allowed. A wallet without positions adds nothing. `riskLevel` is the level of the figures beside it, and `riskLevelReason` states the figure and the threshold behind it. `unreadable` names what could not be read. An empty list means no positions only when `unreadable` is empty too.',
    query: ListPositionsQuery,
    responses: [
      {
        status: 200,
        description: 'A page of positions.',
        schema: PositionList,
        example: {
          positions: [LISTED],
          riskThresholds: RISK_THRESHOLDS,
          ...BLOCK,
          ...ALL_READ,
          nextCursor: null,
        },
      },
    ],
    errors: ['tier_limit_exceeded'],
  },
  'POST /v1/positions/scan': {
    operationId: 'scanPositions',
    tag: 'Positions',
    summary: 'All positions of a wallet',
    description: `Reads every protocol on the given chains, or on all chains with a node. A chain that is not in the registry is a 400. A chain without a node is named in \`unreadable\` as unconfigured. ${LATE}`,
    body: ScanPositionsBody,
    bodyExample: { wallet: WALLET, chains: [1, 42_161] },
    responses: [
      {
        status: 200,
        description: 'The positions of the wallet.',
        schema: PositionScan,
        example: {
          positions: [LISTED],
          totalCollateralUsd: 7_500,
          totalDebtUsd: 5_000,
          totalSuppliedUsd: 7_500,
          netWorthUsd: 2_500,
          protocols: ['aave-v3'],
          riskThresholds: RISK_THRESHOLDS,
          ...BLOCK,
          unreadable: [{ protocol: 'aave-v3', chainId: 42_161, reason: 'deadline_exceeded' }],
          chainStatus: { '1': 'operational', '42161': 'down' },
        },
      },
    ],
  },
  'POST /v1/positions/batch': {
    operationId: 'batchPositions',
    tag: 'Positions',
    summary: 'All positions of up to 100 wallets',
    description: `Every open position of the wallets on all chains, in one response. ${LATE}`,
    body: BatchPositionsBody,
    bodyExample: { wallets: [WALLET] },
    responses: [
      {
        status: 200,
        description: 'The positions of the wallets.',
        schema: PositionBatch,
        example: {
          positions: [LISTED],
          count: 1,
          walletsQueried: 1,
          riskThresholds: RISK_THRESHOLDS,
          ...BLOCK,
          ...ALL_READ,
        },
      },
    ],
  },
  'GET /v1/positions/:id': {
    operationId: 'getPosition',
    tag: 'Positions',
    summary: 'One position with its assets',
    description:
      'The position with each asset’s amount, value and price, with the exact figures of the chain. A closed position stays readable, without assets. While its chain cannot be read, the response has its stored state with its own `block`, or is a 503 without one.',
    path: { id: recordId('pos', 'Id of the position.') },
    responses: [
      {
        status: 200,
        description: 'The position.',
        schema: PositionDetail,
        example: {
          ...LISTED,
          collateralAssets: [COLLATERAL],
          debtAssets: [DEBT],
          usdPerBaseRaw: '1000000000000000000',
          updatedAt: TIMESTAMP,
          riskThresholds: RISK_THRESHOLDS,
          ...ALL_READ,
          ...BLOCK,
        },
      },
    ],
    errors: ['not_found'],
  },
};
