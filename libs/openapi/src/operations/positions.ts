import { ListPositionsQuery, PositionDetail, PositionList, recordId } from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { POSITION_ID, TIMESTAMP, WALLET } from './samples';

const BLOCK = {
  asOfBlock: { '1': 24_100_207 },
  blockHash: { '1': '0x8e38b4dbf6b11fcc3b9dee84fb7986e29ca0a02cecd8977c161ff7333329681e' },
};
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
  riskLevel: 'high',
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
  oracle: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
  liquidationThresholdBps: 8_250,
  usedAsCollateral: true,
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
  oracle: '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6',
};

export const positionOperations: Operations = {
  'GET /v1/positions': {
    operationId: 'listPositions',
    tag: 'Positions',
    summary: 'Positions of wallets',
    description:
      'Every open position of the wallets named, or of the account’s watched wallets, lowest health factor first. Positions are public facts of the chain: any wallet may be asked for. A wallet without positions adds nothing; what could not be read is named in `unreadable`.',
    query: ListPositionsQuery,
    answers: [
      {
        status: 200,
        description: 'A page of positions.',
        schema: PositionList,
        example: { positions: [LISTED], ...BLOCK, unreadable: [], nextCursor: null },
      },
    ],
    errors: ['tier_limit_exceeded'],
  },
  'GET /v1/positions/:id': {
    operationId: 'getPosition',
    tag: 'Positions',
    summary: 'One position with its assets',
    description:
      'The position with each asset’s amount, value and price, beside the exact figures of the chain. A position that was closed stays readable, without assets.',
    path: { id: recordId('pos', 'Id of the position.') },
    answers: [
      {
        status: 200,
        description: 'The position.',
        schema: PositionDetail,
        example: {
          ...LISTED,
          collateralAssets: [COLLATERAL],
          debtAssets: [DEBT],
          updatedAt: TIMESTAMP,
          unreadable: [],
          ...BLOCK,
        },
      },
    ],
    errors: ['not_found'],
  },
};
