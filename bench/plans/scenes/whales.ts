import { derivedId } from '@plimsoll/contracts';
import { createPrismaClient } from '@plimsoll/service-kit';
import {
  ActivityRepository,
  type ActivityCursor,
  type ActivityFilter,
} from '../../../apps/whales/src/activity/activity.repository';
import { ClustersRepository } from '../../../apps/whales/src/clusters/clusters.repository';
import { PrismaClient } from '../../../apps/whales/src/generated/prisma/client';
import {
  PAGE,
  type ListScene,
  type ServiceScene,
  addressOf,
  addressSql,
  idOf,
  idSql,
  numbered,
} from '../scene';

const WALLET = addressOf(999_999_999);
const NO_FILTER = { wallet: null, protocol: null, chainId: null, action: null, sinceMs: null };
const MIDDLE: ActivityCursor = {
  atMs: Date.now() - 500_000_000,
  block: 500_000,
  logIndex: 0,
  id: idOf('wa', 500_000),
};

export const whalesScene: ServiceScene = {
  app: 'whales',
  schema: 'whales',
  fill: (rows) => [
    `INSERT INTO activity (id, chain_id, protocol, market, sub_id, wallet, action, token, symbol, decimals, amount_raw, amount,
       usd, price_basis, block, block_hash, transaction_hash, log_index, at, is_published)
     SELECT ${idSql('wa', 'n')}, CASE WHEN rare THEN 8453 WHEN n % 2 = 0 THEN 1 ELSE 56 END,
       CASE WHEN rare THEN 'compound-v3' WHEN n % 2 = 0 THEN 'aave-v3' ELSE 'venus' END, 'main', '',
       CASE WHEN rare THEN '${WALLET}' ELSE ${addressSql('n % 5000')} END, CASE WHEN rare THEN 'liquidation' ELSE 'supply' END,
       ${addressSql('1')}, 'USDC', 6, n, n, CASE WHEN rare THEN 20000000 ELSE 150000 + n % 1000 END, 'block', n, '0x', '0x', 0,
       now() - (${rows} - n) * interval '1 second', true
     FROM ${numbered(rows)}`,
    `INSERT INTO clusters (id, wallet_count, total_value_usd, dominant_protocol, updated_at)
     SELECT ${idSql('wc', 'n')}, 1, n, 'aave-v3', now() FROM ${numbered(rows)}`,
    `INSERT INTO cluster_wallets (wallet, cluster_id, value_usd)
     SELECT ${addressSql('n')}, ${idSql('wc', 'n')}, n FROM ${numbered(rows)}`,
    `INSERT INTO cluster_evidence (cluster_id, kind, a, b, chain_id, weight, block)
     SELECT ${idSql('wc', 'n')}, 'transfer', ${addressSql('n')}, ${addressSql('n + 1')}, 1, 1, n FROM ${numbered(rows)}`,
  ],
  lists: (pool): ListScene[] => {
    const activity = new ActivityRepository(pool);
    const clusters = new ClustersRepository(pool, createPrismaClient(PrismaClient, pool, 'whales'));
    return [
      {
        name: 'GET /v1/whales/activity',
        filters: {
          wallet: [addressOf(4), WALLET, addressOf(999_999_998)],
          protocol: ['aave-v3', 'compound-v3', 'none'],
          chain: [1, 8453, 10],
          action: ['supply', 'liquidation', 'transfer'],
          minUsd: [0, 10_000_000, 1e12],
          since: [Date.now() - 40 * 86_400_000, Date.now() - 3_600_000],
          cursor: [MIDDLE],
        },
        disjoint: [{ protocol: 'aave-v3', chain: 56 }],
        read: ({ cursor = null, chain = null, since = null, ...filter }) =>
          activity.list(
            {
              ...NO_FILTER,
              minUsd: 100_000,
              ...filter,
              chainId: chain,
              sinceMs: since,
            } as ActivityFilter,
            cursor as ActivityCursor | null,
            PAGE,
          ),
      },
      {
        name: 'GET /v1/whales/clusters',
        filters: { cursor: [{ totalValueUsd: 500_000, id: idOf('wc', 500_000) }] },
        read: ({ cursor = null }) =>
          clusters.list(cursor as { totalValueUsd: number; id: string } | null, PAGE),
      },
      {
        name: 'GET /v1/whales/clusters/{id}',
        filters: { id: [idOf('wc', 7), derivedId('wc', 'none')] },
        read: ({ id = idOf('wc', 8) }) => clusters.find(id as string),
      },
    ];
  },
};
