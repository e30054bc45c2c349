import {
  ListWhaleActivityQuery,
  PageQuery,
  WhaleActivityList,
  WhaleClusterAnswer,
  WhaleClusterList,
  recordId,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { BLOCK, TIMESTAMP, WALLET } from './samples';

const CLUSTER = {
  id: 'wc_01aBcDeFgHiJkLmNoPqRsT',
  walletCount: 2,
  totalValueUsd: 48_250_000,
  dominantProtocol: 'aave-v3',
};
const OTHER_WALLET = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const ASSET = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';

export const whaleOperations: Operations = {
  'GET /v1/whales/clusters': {
    operationId: 'listWhaleClusters',
    tag: 'Whales',
    summary: 'Clusters of wallets with probably one owner',
    description:
      'Wallets connected by their activity on chain: one owns or manages the other, positions or tokens moved between them, one paid for the other, or they moved together. Exchanges, routers and bridges connect no wallets. Highest totalValueUsd first.',
    query: PageQuery,
    responses: [
      {
        status: 200,
        description: 'A page of clusters.',
        schema: WhaleClusterList,
        example: { clusters: [CLUSTER], count: 1, nextCursor: null },
      },
    ],
  },
  'GET /v1/whales/clusters/:id': {
    operationId: 'getWhaleCluster',
    tag: 'Whales',
    summary: 'One cluster with its wallets and the evidence',
    description:
      'The evidence that connects its wallets, each piece with its weight. When clusters merge or split, the larger part keeps the id. The other id is `not_found`.',
    path: { id: recordId('wc', 'Id of the cluster.') },
    responses: [
      {
        status: 200,
        description: 'The cluster.',
        schema: WhaleClusterAnswer,
        example: {
          cluster: {
            ...CLUSTER,
            wallets: [
              { wallet: WALLET, valueUsd: 48_000_000 },
              { wallet: OTHER_WALLET, valueUsd: 250_000 },
            ],
            evidence: [
              {
                kind: 'position_transfer',
                wallets: [WALLET, OTHER_WALLET],
                weight: 0.9,
                chainId: 1,
                block: 24_100_105,
              },
            ],
            updatedAt: TIMESTAMP,
          },
        },
      },
    ],
    errors: ['not_found'],
  },
  'GET /v1/whales/activity': {
    operationId: 'listWhaleActivity',
    tag: 'Whales',
    summary: 'Whale activity',
    description:
      'Moves of at least the whale threshold of the service, from the protocols’ own logs, newest first. USD is at the price of the market’s oracle at the block of the move. A move whose block was replaced by a reorg is removed. Each move states its size relative to the pool, and the health factor and the rates before and after it. A figure that could not be read is null, with the reason beside it. Deployers, routers, exchanges, bridges and contracts of protocols are not whales and do not appear.',
    query: ListWhaleActivityQuery,
    responses: [
      {
        status: 200,
        description: 'A page of moves.',
        schema: WhaleActivityList,
        example: {
          activity: [
            {
              id: 'act_01aBcDeFgHiJkLmNoPqRsT',
              wallet: WALLET,
              action: 'withdraw',
              protocol: 'aave-v3',
              asset: 'WETH',
              amount: 1_250.5,
              usdValue: 3_126_250,
              timestamp: TIMESTAMP,
              chainId: 1,
              market: 'AaveV3Ethereum',
              counterparty: null,
              assetAddress: ASSET,
              amountRaw: '1250500000000000000000',
              decimals: 18,
              priceBasis: 'block',
              block: BLOCK.asOfBlock['1'],
              blockHash: BLOCK.blockHash['1'],
              transactionHash: `0x${'2'.repeat(64)}`,
              logIndex: 7,
              counterpartyLabel: null,
              shareOfPoolPercent: 0.21,
              shareOfPoolReason: null,
              healthFactorBefore: 1.92,
              healthFactorAfter: 1.41,
              healthFactorReason: null,
              rateEffect: {
                supplyRateBefore: 0.0181,
                supplyRateAfter: 0.0182,
                borrowRateBefore: 0.0263,
                borrowRateAfter: 0.0264,
              },
              rateEffectReason: null,
            },
          ],
          count: 1,
          nextCursor: null,
        },
      },
    ],
  },
};
