import {
  PriceBatch,
  PriceBatchBody,
  PriceHistory,
  PriceHistoryQuery,
  PriceList,
  PricesQuery,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { TIMESTAMP } from './samples';

const QUALITY = {
  changeSince: '2026-11-20T12:00:00.000Z',
  observedAt: TIMESTAMP,
  isStale: false,
  isDeviating: false,
  isDepegged: false,
  spreadPercent: 0.0476,
  sources: [
    { source: 'chainlink', state: 'used', usd: 3_150.5, chainId: 1 },
    { source: 'coingecko', state: 'used', usd: 3_152 },
  ],
};

const QUALITY_NOTE =
  'The price is the median of the sources that are fresh and agree. When none is fresh, the response has the last known price with `isStale`. A source that is far from the others is ignored, and `isDeviating` is true. On a local platform the local market is the source.';

export const priceOperations: Operations = {
  'GET /v1/prices': {
    operationId: 'listPrices',
    tag: 'Prices',
    summary: 'Prices of tokens',
    description: `${QUALITY_NOTE} Symbols without a price are only named in \`missing\`.`,
    query: PricesQuery,
    responses: [
      {
        status: 200,
        description: 'The prices.',
        schema: PriceList,
        example: {
          prices: { ETH: { usd: 3_151.25, change24h: -2.5, ...QUALITY } },
          missing: [],
          timestamp: TIMESTAMP,
        },
      },
    ],
  },
  'POST /v1/prices/batch': {
    operationId: 'batchPrices',
    tag: 'Prices',
    summary: 'Prices of tokens with market capitalisation',
    description: `${QUALITY_NOTE} Symbols without a price are only named in \`missing\`.`,
    body: PriceBatchBody,
    bodyExample: { symbols: ['ETH', 'USDC'] },
    responses: [
      {
        status: 200,
        description: 'The prices.',
        schema: PriceBatch,
        example: {
          prices: {
            ETH: { usd: 3_151.25, usd_24h_change: -2.5, usd_market_cap: 380_500_000_000, ...QUALITY },
          },
          missing: [],
          count: 1,
        },
      },
    ],
  },
  'GET /v1/prices/history': {
    operationId: 'getPriceHistory',
    tag: 'Prices',
    summary: 'Daily prices of a token',
    description:
      'Open, high, low and close of each completed UTC day. A day without prices is marked as a gap and is never interpolated.',
    query: PriceHistoryQuery,
    responses: [
      {
        status: 200,
        description: 'The days, oldest first.',
        schema: PriceHistory,
        example: {
          symbol: 'ETH',
          historySource: 'coingecko',
          version: 412,
          bars: [
            {
              day: '2026-11-20',
              open: 3_101,
              high: 3_190.7,
              low: 3_088.3,
              close: 3_151.25,
              isGap: false,
              isCorrected: false,
            },
          ],
          count: 1,
          updatedAt: '2026-11-21T00:05:03.000Z',
        },
      },
    ],
    errors: ['not_found'],
  },
};
