import { type Static, Type } from '@sinclair/typebox';
import { Type as Convert } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { PRICE_SOURCES, PRICE_SOURCE_STATES } from '../prices';
import { itemCount, nullable, oneOf, timestamp, usd, utcDay } from './fields';

const MAX_SYMBOLS = 200;
const MAX_SYMBOL_CHARS = 32;

/** Query of GET /v1/prices. */
export class PricesQuery {
  @JSONSchema({
    description: `Token symbols in any case, comma-separated: up to ${MAX_SYMBOLS}. ETH and WETH have one price, and BTC and WBTC have one price.`,
    example: 'ETH,USDC',
    pattern: `^[^,]+(,[^,]+){0,${MAX_SYMBOLS - 1}}$`,
  })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_SYMBOLS * (MAX_SYMBOL_CHARS + 1))
  symbols!: string;
}

/** Body of POST /v1/prices/batch. */
export class PriceBatchBody {
  @JSONSchema({
    description: 'Token symbols in any case. ETH and WETH have one price, and BTC and WBTC have one price.',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SYMBOLS)
  @IsString({ each: true })
  @MinLength(1, { each: true })
  @MaxLength(MAX_SYMBOL_CHARS, { each: true })
  symbols!: string[];
}

/** Query of GET /v1/prices/history. */
export class PriceHistoryQuery {
  @JSONSchema({ description: 'Token symbol in any case.', example: 'ETH' })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_SYMBOL_CHARS)
  symbol!: string;

  @JSONSchema({ description: 'Days before today. The response has fewer when fewer are known.' })
  @Convert(() => Number)
  @IsInt()
  @Min(1)
  @Max(1_000)
  days: number = 30;
}

/** One source of a price. */
export const PriceSourceItem = Type.Object({
  source: oneOf(PRICE_SOURCES, { description: 'local-market: the feeds of the local chain.' }),
  chainId: Type.Optional(Type.Integer({ minimum: 1, description: 'Chain of an on-chain feed.' })),
  state: oneOf(PRICE_SOURCE_STATES, {
    description:
      'used: in the median. stale: no update for more than 1.5 of its heartbeats. deviant: too far from the others. down: no response. sequencer_down: the chain of the feed accepts no transactions.',
  }),
  usd: nullable(Type.Number(), 'Its last price in USD. Null without any.'),
});
export type PriceSourceItem = Static<typeof PriceSourceItem>;

/** Quality of a price. */
export const PriceQuality = Type.Object({
  changeSince: timestamp(
    'Time of the reference price: 24 hours ago, or later when the price has been known for less than a day.',
  ),
  observedAt: timestamp('When the newest source observed the price.'),
  isStale: Type.Boolean({ description: 'No source is fresh. This is the last known price.' }),
  isDeviating: Type.Boolean({ description: 'A source is too far from the others and is not used.' }),
  isDepegged: Type.Boolean({ description: 'More than 2 % from its peg. False for an asset without one.' }),
  spreadPercent: nullable(
    Type.Number({ minimum: 0 }),
    'Highest minus lowest of the fresh sources, percent of their median. Null with fewer than two.',
  ),
  sources: Type.Array(PriceSourceItem, { description: 'Every source of this asset.' }),
});
export type PriceQuality = Static<typeof PriceQuality>;

/** A price in GET /v1/prices. */
export const PriceEntry = Type.Composite([
  Type.Object({
    usd: usd('Median of the sources that are fresh and agree.'),
    change24h: Type.Number({ description: 'Percent over 24 hours; −2.5 is a fall of 2.5 %.' }),
  }),
  PriceQuality,
]);
export type PriceEntry = Static<typeof PriceEntry>;

/** A price in POST /v1/prices/batch. */
export const BatchPriceEntry = Type.Composite([
  Type.Object({
    usd: usd('Median of the sources that are fresh and agree.'),
    usd_24h_change: Type.Number({ description: 'Percent over 24 hours; −2.5 is a fall of 2.5 %.' }),
    usd_market_cap: Type.Number({
      minimum: 0,
      description: 'Market capitalisation in USD. 0: no source states it.',
    }),
  }),
  PriceQuality,
]);
export type BatchPriceEntry = Static<typeof BatchPriceEntry>;

const missing = Type.Array(Type.String(), { description: 'Requested symbols without a price.' });

/** Response of GET /v1/prices. */
export const PriceList = Type.Object({
  prices: Type.Record(Type.String(), PriceEntry, { description: 'By symbol, as in the request.' }),
  missing,
  timestamp: timestamp('When the newest of these prices was received.'),
});
export type PriceList = Static<typeof PriceList>;

/** Response of POST /v1/prices/batch. */
export const PriceBatch = Type.Object({
  prices: Type.Record(Type.String(), BatchPriceEntry, { description: 'By symbol, as in the request.' }),
  missing,
  count: itemCount,
});
export type PriceBatch = Static<typeof PriceBatch>;

const barPrice = (description: string) => nullable(usd(description), `${description} USD; null for a gap.`);

/** A UTC day of an asset. */
export const PriceBar = Type.Object({
  day: utcDay('The UTC day.'),
  open: barPrice('First price.'),
  high: barPrice('Highest price.'),
  low: barPrice('Lowest price.'),
  close: barPrice('Last price.'),
  isGap: Type.Boolean({ description: 'The day has no prices.' }),
  isCorrected: Type.Boolean({ description: 'The source corrected the day after it was first published.' }),
});
export type PriceBar = Static<typeof PriceBar>;

/** Response of GET /v1/prices/history. */
export const PriceHistory = Type.Object({
  symbol: Type.String({ description: 'As in the request.' }),
  historySource: oneOf(PRICE_SOURCES, {
    description:
      'Source of the days. local-market: a synthetic past from a seeded model, joined to the prices of the local market.',
  }),
  version: Type.Integer({ minimum: 1, description: 'Increases with every added and every corrected day.' }),
  bars: Type.Array(PriceBar, { description: 'Oldest first, without today.' }),
  count: itemCount,
  updatedAt: timestamp('When the history last changed.'),
});
export type PriceHistory = Static<typeof PriceHistory>;
