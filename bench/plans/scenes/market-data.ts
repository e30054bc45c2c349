import { createPrismaClient } from '@plimsoll/service-kit';
import { PrismaClient } from '../../../apps/market-data/src/generated/prisma/client';
import { HistoryRepository } from '../../../apps/market-data/src/history/history.repository';
import { RiskRepository } from '../../../apps/market-data/src/risk/risk.repository';
import type { ListScene, ServiceScene } from '../scene';

const DAY_MS = 86_400_000;
const ASSETS = 1_000;

export const marketDataScene: ServiceScene = {
  app: 'market-data',
  schema: 'market_data',
  fill: (rows) => [
    `INSERT INTO daily_bars (asset, day, version, open, high, low, close)
     SELECT 'T' || n % ${ASSETS}, current_date - n / ${ASSETS}, 1, 1, 1, 1, 1 FROM generate_series(0, ${rows - 1}) AS n`,
    `INSERT INTO risk_index_hours (hour, gri, trend, volatility, liquidation_pressure, protocol_stability, measured_at)
     SELECT date_trunc('hour', now()) - n * interval '1 hour', 50, 'stable', 1, 1, 1, now() FROM generate_series(0, ${rows - 1}) AS n`,
  ],
  lists: (pool): ListScene[] => {
    const prisma = createPrismaClient(PrismaClient, pool, 'market_data');
    const histories = new HistoryRepository(pool, prisma, undefined as never);
    const risk = new RiskRepository(pool, prisma, undefined as never);
    return [
      {
        name: 'GET /v1/prices/history',
        filters: { symbol: ['T7', 'NONE'], days: [7, 365] },
        read: ({ symbol = 'T8', days = 30 }) =>
          histories.bars(
            symbol as string,
            new Date(Date.now() - (days as number) * DAY_MS).toISOString().slice(0, 10),
          ),
      },
      {
        name: 'GET /v1/risk/index/history',
        filters: { days: [1, 90] },
        read: ({ days = 30 }) => risk.since(Date.now() - (days as number) * DAY_MS),
      },
    ];
  },
};
