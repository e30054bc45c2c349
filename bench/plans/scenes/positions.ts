import { derivedId } from '@plimsoll/contracts';
import { Clock, createPrismaClient } from '@plimsoll/service-kit';
import { SnapshotPartitions } from '../../../apps/positions/src/analytics/snapshot-partitions';
import {
  type SnapshotPosition,
  SnapshotsRepository,
} from '../../../apps/positions/src/analytics/snapshots.repository';
import { PrismaClient } from '../../../apps/positions/src/generated/prisma/client';
import { HistoryRepository } from '../../../apps/positions/src/history/history.repository';
import {
  MarketRatesRepository,
  type RateFilter,
  type RateRange,
} from '../../../apps/positions/src/market-rates/market-rates.repository';
import { RatePartitions } from '../../../apps/positions/src/market-rates/rate-partitions';
import { PositionKeysRepository } from '../../../apps/positions/src/positions/position-keys.repository';
import { ReceiptLog } from '../../../apps/positions/src/receipt-log/receipt-log';
import { ReceiptRoots } from '../../../apps/positions/src/receipt-log/receipt-roots';
import { ReceiptPartitions } from '../../../apps/positions/src/receipts/receipt-partitions';
import { ReceiptsRepository } from '../../../apps/positions/src/receipts/receipts.repository';
import { PositionStore } from '../../../apps/positions/src/tracking/position-store';
import { WalletImportsRepository } from '../../../apps/positions/src/wallet-imports/wallet-imports.repository';
import { OpenAlertsRepository } from '../../../apps/positions/src/wallet-list/open-alerts.repository';
import { WalletGroupsRepository } from '../../../apps/positions/src/wallets/wallet-groups.repository';
import {
  type WalletPosition,
  WalletsRepository,
} from '../../../apps/positions/src/wallets/wallets.repository';
import {
  ACCOUNT,
  type Filter,
  PAGE,
  type ListScene,
  type ServiceScene,
  addressOf,
  addressSql,
  idOf,
  idSql,
  numbered,
} from '../scene';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Watched wallets of the account, each with one position. */
const WALLETS = 10_000;
/** Wallets with snapshots, each with one an hour. */
const WITH_SNAPSHOTS = 1_000;
const GROUP = derivedId('wgr', 'small');
const LARGE_GROUP = derivedId('wgr', 'half');
const RATE = derivedId('mkt', 'rare');
const OWNER_OF_WALLET = `CASE WHEN n <= ${WALLETS} THEN '${ACCOUNT}' ELSE ${idSql('acc', 'n % 1000')} END`;
const OF_ALL_WALLETS = {
  rows: 120_000,
  ms: 5_000,
  because: 'Without a filter it is about all 10,000 wallets of the account. Indexes find the rows of each.',
};
const ago = (ms: number): Date => new Date(Date.now() - ms);
/** Ends of the ranges of histories. */
const EARLIER = [ago(20 * DAY_MS)];

const NO_RATE_FILTER = { protocol: null, chainId: null, market: null, asset: null };

export const positionsScene: ServiceScene = {
  app: 'positions',
  schema: 'positions',
  async prepare(pool) {
    for (let day = 0; day <= 60; day += 5) {
      const at = ago(day * DAY_MS);
      await new SnapshotPartitions(pool).make(at);
      await new RatePartitions(pool).make(at);
    }
    await new ReceiptPartitions(pool).make(new Date());
  },
  fill: (rows) => [
    `INSERT INTO watched_wallets (account_id, address, watched_since, group_ids)
     SELECT ${OWNER_OF_WALLET}, ${addressSql('n')}, now() - interval '100 days' - n * interval '1 second',
       CASE WHEN n > ${WALLETS} THEN '{}' WHEN n % 500 = 0 THEN '{${GROUP},${LARGE_GROUP}}'
         WHEN n % 2 = 0 THEN '{${LARGE_GROUP}}' ELSE '{}' END::text[]
     FROM ${numbered(rows)}`,
    `INSERT INTO wallet_groups (id, account_id, name, created_at) VALUES ('${GROUP}', '${ACCOUNT}', 'small', now()),
       ('${LARGE_GROUP}', '${ACCOUNT}', 'half', now())`,
    `INSERT INTO wallet_groups (id, account_id, name, created_at)
     SELECT ${idSql('wgr', 'n')}, ${idSql('acc', 'n % 100000')}, n::text, now() FROM ${numbered(rows)}`,
    `INSERT INTO open_alerts (alert_id, account_id, wallet)
     SELECT ${idSql('alt', 'n')}, ${OWNER_OF_WALLET}, ${addressSql('n')} FROM ${numbered(rows)}`,
    `INSERT INTO position_keys (id, protocol, chain_id, market, sub_id, wallet, first_seen_at)
     SELECT ${idSql('pos', 'n')}, 'aave-v3', 1, 'main', '', ${addressSql('n')}, now() - interval '90 days' FROM ${numbered(rows)}`,
    `INSERT INTO positions (id, sequence, wallet, chain_id, block, closed, event)
     SELECT ${idSql('pos', 'n')}, 1, ${addressSql('n')}, 1, 1, false, '{}' FROM ${numbered(rows)}`,
    `INSERT INTO position_snapshots (wallet, at, position_id, block, health_factor_raw, total_collateral_raw, total_debt_raw,
       base_decimals, usd_per_base_raw, net_worth_usd_raw)
     SELECT ${addressSql(`n % ${WITH_SNAPSHOTS} + 1`)}, now() - (n / ${WITH_SNAPSHOTS}) * interval '1 hour',
       ${idSql('pos', `n % ${WITH_SNAPSHOTS} + 1`)}, n, 1500000000000000000, 200, 100, 8, 1, 7
     FROM ${numbered(rows)}`,
    `INSERT INTO market_rates (id, chain_id, protocol, market, sub_id, token, symbol, decimals, period, block, block_hash,
       block_time, read_at)
     SELECT CASE WHEN rare THEN CASE n WHEN 10000 THEN '${RATE}' ELSE ${idSql('mkt', 'n')} END ELSE ${idSql('mkt', 'n')} END,
       CASE WHEN rare THEN 8453 WHEN n % 2 = 0 THEN 1 ELSE 56 END,
       CASE WHEN rare THEN 'compound-v3' WHEN n % 2 = 0 THEN 'morpho-blue' ELSE 'venus' END,
       CASE WHEN rare THEN 'rare' ELSE 'main' END, n::text, ${addressSql('n')},
       CASE WHEN rare THEN 'RARE' ELSE 'T' || n % 1000 END, 18, 'year', 1, '0x', now(), now()
     FROM ${numbered(rows)}`,
    `INSERT INTO market_rate_hours (id, hour, samples, supply_sum, supply_samples, borrow_sum, borrow_samples, block, block_time)
     SELECT CASE n % 1000 WHEN 0 THEN '${RATE}' ELSE ${idSql('mkt', 'n % 1000')} END,
       date_trunc('hour', now()) - (n / 1000) * interval '1 hour', 1, 0.1, 1, 0.1, 1, n, now()
     FROM ${numbered(rows)}`,
    `INSERT INTO wallet_imports (id, account_id, total)
     SELECT ${idSql('imp', 'n')}, ${idSql('acc', 'n')}, 10000 FROM generate_series(0, 99) AS n`,
    `INSERT INTO wallet_import_rows (import_id, index, wallet, field, code, message)
     SELECT ${idSql('imp', 'n % 100')}, n / 100, '{"address":"0x"}', 'address', 'invalid', 'message' FROM ${numbered(rows)}`,
    `INSERT INTO receipts (account_id, hash, stored_at, body)
     SELECT ${OWNER_OF_WALLET}, lpad(to_hex(n), 64, '0'), now(), '{}' FROM ${numbered(rows)}`,
    `INSERT INTO receipt_log_nodes (index, level, hash)
     SELECT n - 1, 0, decode(lpad(to_hex(n), 64, '0'), 'hex') FROM ${numbered(rows)}`,
    `INSERT INTO receipt_roots (hour, size, root_hash, key_id, signed_at, signature)
     SELECT date_trunc('hour', now()) - n * interval '1 hour', ${rows} - n, '', 'key', date_trunc('hour', now()) - n * interval '1 hour' + interval '1 second', ''
     FROM ${numbered(rows)}`,
    `INSERT INTO receipt_anchors (hash, hour, chain_id, account, nonce, max_fee, priority_fee, raw, signed_at, is_mined)
     SELECT '0x' || lpad(to_hex(row_number() OVER (ORDER BY hour)), 64, '0'), hour, 1, ${addressSql('1')}, 1, 1, 1, '0x', signed_at, true
     FROM receipt_roots WHERE extract(hour FROM hour AT TIME ZONE 'UTC') = 0`,
  ],
  lists: (pool): ListScene[] => {
    const prisma = createPrismaClient(PrismaClient, pool, 'positions');
    const wallets = new WalletsRepository(pool, prisma);
    const groups = new WalletGroupsRepository(pool, new Clock());
    const openAlerts = new OpenAlertsRepository(pool);
    const keys = new PositionKeysRepository(pool, prisma);
    const store = new PositionStore(pool, undefined as never);
    const snapshots = new SnapshotsRepository(pool);
    const history = new HistoryRepository(pool);
    const rates = new MarketRatesRepository(pool);
    const imports = new WalletImportsRepository(pool);
    const receipts = new ReceiptsRepository(pool);
    const log = new ReceiptLog(pool);
    const roots = new ReceiptRoots(pool, log, undefined as never);
    // A page has 50 buckets. Their ends come from the filters.
    const readHistory = async ({ until = new Date(), ...scope }: Filter): Promise<void> => {
      const all = { accountId: ACCOUNT, address: null, groupId: null, positionId: null, ...scope };
      const to = until as Date;
      const from = new Date(to.getTime() - 50 * HOUR_MS);
      await history.scope(all);
      await history.samples(all, from, to, 'hour');
      await history.known(all, from, to);
    };
    return [
      {
        name: 'GET /v1/wallets',
        filters: {
          walletGroupId: [LARGE_GROUP, GROUP, derivedId('wgr', 'none')],
          cursor: [{ watchedSince: ago(100 * DAY_MS + 5_000_000), address: addressOf(5_000) }],
        },
        more: {
          rows: WALLETS / 2,
          ms: 500,
          because:
            'No index has the order of the list for a group, so its 5,000 wallets are read and sorted.',
        },
        read: async ({ walletGroupId, cursor = null }) => {
          const page = await wallets.list(
            ACCOUNT,
            walletGroupId as string | undefined,
            PAGE,
            cursor as WalletPosition | null,
          );
          await openAlerts.countsOf(
            ACCOUNT,
            page.map(({ address }) => address),
          );
        },
      },
      {
        name: 'GET /v1/wallet-groups',
        filters: {},
        more: { rows: 20_000, ms: 500, because: 'It counts the wallets of each group of the account.' },
        read: () => groups.list(ACCOUNT),
      },
      {
        name: 'GET /v1/positions',
        filters: { wallet: [addressOf(4)], walletGroupId: [GROUP, LARGE_GROUP] },
        more: {
          rows: WALLETS,
          ms: 1_000,
          because:
            'Without a wallet it is about all 10,000 of the account. Other filters apply to their figures in memory.',
        },
        read: async ({ wallet, walletGroupId }) => {
          if (wallet !== undefined) return store.load(1, [wallet as string]);
          return walletGroupId === undefined
            ? wallets.enabledAddresses(ACCOUNT)
            : store.load(1, (await wallets.enabledInGroup(ACCOUNT, walletGroupId as string)) ?? []);
        },
      },
      { name: 'GET /v1/positions/{id}', filters: {}, read: () => keys.find(idOf('pos', 4)) },
      {
        name: 'GET /v1/positions/{id}/history',
        filters: { positionId: [idOf('pos', 4)], until: EARLIER },
        read: ({ positionId = idOf('pos', 5), until }) =>
          readHistory({ positionId, address: addressOf(Number(String(positionId).slice(-5))), until }),
      },
      {
        name: 'GET /v1/wallets/{address}/history',
        filters: { address: [addressOf(4), addressOf(WALLETS)], until: EARLIER },
        read: ({ address = addressOf(5), until }) => readHistory({ address, until }),
      },
      {
        name: 'GET /v1/wallet-groups/{id}/history',
        filters: { groupId: [GROUP], until: EARLIER },
        read: ({ groupId = GROUP, until }) => readHistory({ groupId, until }),
      },
      {
        name: 'GET /v1/analytics/history',
        filters: { until: EARLIER },
        more: OF_ALL_WALLETS,
        read: readHistory,
      },
      {
        name: 'GET /v1/analytics/historical',
        filters: {
          days: [1, 60],
          wallet: [addressOf(4), addressOf(WALLETS)],
          positionId: [idOf('pos', 4)],
          cursor: [{ at: ago(20 * DAY_MS), positionId: idOf('pos', 1) }],
        },
        more: OF_ALL_WALLETS,
        read: ({ days = 30, wallet, positionId = null, cursor = null }) =>
          snapshots.list(
            {
              accountId: ACCOUNT,
              since: ago((days as number) * DAY_MS),
              wallets: wallet === undefined ? null : [wallet as string],
              positionId: positionId as string | null,
            },
            PAGE,
            cursor as SnapshotPosition | null,
          ),
      },
      {
        name: 'GET /v1/markets/rates',
        filters: {
          protocol: ['venus', 'compound-v3', 'none'],
          chainId: [1, 8453, 10],
          market: ['main', 'rare', 'none'],
          asset: ['T7', 'rare', 'none'],
          cursor: [[1, 'morpho-blue', 'main', idOf('mkt', 500_000)]],
        },
        disjoint: [{ protocol: 'venus', chainId: 1 }],
        read: ({ cursor = null, ...filter }) =>
          rates.list(
            { ...NO_RATE_FILTER, ...filter } as RateFilter,
            PAGE,
            cursor as (string | number)[] | null,
          ),
      },
      {
        name: 'GET /v1/markets/rates/{id}/history',
        filters: { since: [ago(10 * DAY_MS)], until: [ago(DAY_MS)], cursor: [ago(5 * DAY_MS)] },
        read: async ({ since = null, until = null, cursor = null }) => {
          const range = { from: since, to: until, before: cursor } as RateRange;
          await rates.find(RATE);
          for (const bucket of ['hour', 'day'] as const) await rates.history(RATE, bucket, range, PAGE);
        },
      },
      {
        name: 'GET /v1/wallets/imports/{id}',
        filters: { cursor: [5_000] },
        read: async ({ cursor = -1 }) => {
          await imports.find(idOf('acc', 7), idOf('imp', 7));
          await imports.rejections({ id: idOf('imp', 7), done: 10_000 }, PAGE, cursor as number);
        },
      },
      {
        name: 'GET /v1/receipts/{hash}',
        filters: {},
        read: () => receipts.find(ACCOUNT, '7'.padStart(64, '0')),
      },
      {
        name: 'GET /v1/receipts/roots',
        filters: { cursor: [ago(10_000 * HOUR_MS), ago(500_000 * HOUR_MS)] },
        read: ({ cursor = null }) => roots.list(PAGE, cursor as Date | null),
      },
      {
        name: 'GET /v1/receipts/consistency',
        filters: { earlier: [1_000, 500_000], later: [500_000, 900_000] },
        read: async ({ earlier, later }) => {
          await roots.find(earlier as number | undefined);
          await roots.find(later as number | undefined);
        },
      },
      {
        name: 'GET /v1/receipts/inclusion',
        filters: { leaf: ['7'.padStart(64, '0')], size: [500_000], anchored: [true] },
        read: async ({ leaf = '8'.padStart(64, '0'), size, anchored = false }) => {
          const index = await log.indexOf(Buffer.from(leaf as string, 'hex'));
          await (size === undefined
            ? roots.firstWith(index!, anchored as boolean)
            : roots.find(size as number));
          await log.roots([{ from: 0, to: 128 }]);
        },
      },
    ];
  },
};
