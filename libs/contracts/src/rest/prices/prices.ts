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
import { PRICE_SOURCES, PRICE_SOURCE_STATES, type PriceSource, type PriceSourceState } from '../../prices';
import { Example, Field, Optional, TIMESTAMP } from '../fields';

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

const MAX_SYMBOLS = 200;

const MAX_SYMBOL_CHARS = 32;

/** Query of GET /v1/prices. */
export class PricesQuery {
  @JSONSchema({
    description: `Token symbols in any case, comma-separated: up to ${MAX_SYMBOLS}. ETH and WETH have one price, and BTC and WBTC have one price.`,
    example: 'ETH,USDC',
    pattern: `^[^,\\u0000]+(,[^,\\u0000]+){0,${MAX_SYMBOLS - 1}}$`,
  })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_SYMBOLS * (MAX_SYMBOL_CHARS + 1))
  symbols!: string;
}

/** Body of POST /v1/prices/batch. */
@Example({ symbols: ['ETH', 'USDC'] })
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
export class PriceSourceItem {
  @Field.Word(PRICE_SOURCES, 'local-market: the feeds of the local chain.')
  source!: PriceSource;

  @Optional() @Field.Integer('Chain of an on-chain feed.', { min: 1 }) chainId?: number;

  @Field.Word(
    PRICE_SOURCE_STATES,
    'used: in the median. stale: no update for more than 1.5 of its heartbeats. deviant: too far from the others. down: no response. sequencer_down: the chain of the feed accepts no transactions.',
  )
  state!: PriceSourceState;

  @Field.Number('Its last price in USD. Null without any.', { nullable: true }) usd!: number | null;
}

/** Quality of a price. */
export class PriceQuality {
  @Field.Timestamp(
    'Time of the reference price: 24 hours ago, or later when the price has been known for less than a day.',
  )
  changeSince!: string;

  @Field.Timestamp('When the newest source observed the price.') observedAt!: string;
  @Field.Boolean('No source is fresh. This is the last known price.') isStale!: boolean;
  @Field.Boolean('A source is too far from the others and is not used.') isDeviating!: boolean;
  @Field.Boolean('More than 2 % from its peg. False for an asset without one.') isDepegged!: boolean;

  @Field.Number(
    'Highest minus lowest of the fresh sources, percent of their median. Null with fewer than two.',
    { min: 0, nullable: true },
  )
  spreadPercent!: number | null;

  @Field.Object(() => PriceSourceItem, 'Every source of this asset.', { list: true })
  sources!: PriceSourceItem[];
}

/** A price in GET /v1/prices. */
export class PriceEntry extends PriceQuality {
  @Field.Usd('Median of the sources that are fresh and agree.') usd!: number;
  @Field.Number('Percent over 24 hours; −2.5 is a fall of 2.5 %.') change24h!: number;
}

/** A price in POST /v1/prices/batch. */
export class BatchPriceEntry extends PriceQuality {
  @Field.Usd('Median of the sources that are fresh and agree.') usd!: number;
  @Field.Number('Percent over 24 hours; −2.5 is a fall of 2.5 %.') usd_24h_change!: number;
  @Field.Number('Market capitalisation in USD. 0: no source states it.', { min: 0 }) usd_market_cap!: number;
}

/** Response of GET /v1/prices. */
@Example({
  prices: { ETH: { usd: 3_151.25, change24h: -2.5, ...QUALITY } },
  missing: [],
  timestamp: TIMESTAMP,
})
export class PriceList {
  @Field.Object(() => PriceEntry, 'By symbol, as in the request.', { map: true })
  prices!: Record<string, PriceEntry>;

  @Field.Text('Requested symbols without a price.', { list: true }) missing!: string[];
  @Field.Timestamp('When the newest of these prices was received.') timestamp!: string;
}

/** Response of POST /v1/prices/batch. */
@Example({
  prices: {
    ETH: { usd: 3_151.25, usd_24h_change: -2.5, usd_market_cap: 380_500_000_000, ...QUALITY },
  },
  missing: [],
  count: 1,
})
export class PriceBatch {
  @Field.Object(() => BatchPriceEntry, 'By symbol, as in the request.', { map: true })
  prices!: Record<string, BatchPriceEntry>;

  @Field.Text('Requested symbols without a price.', { list: true }) missing!: string[];
  @Field.ItemCount() count!: number;
}

const barPrice = (description: string) =>
  Field.Number(`${description} USD; null for a gap.`, { nullable: true });

/** A UTC day of an asset. */
export class PriceBar {
  @Field.Day('The UTC day.') day!: string;
  @barPrice('First price.') open!: number | null;
  @barPrice('Highest price.') high!: number | null;
  @barPrice('Lowest price.') low!: number | null;
  @barPrice('Last price.') close!: number | null;
  @Field.Boolean('The day has no prices.') isGap!: boolean;
  @Field.Boolean('The source corrected the day after it was first published.') isCorrected!: boolean;
}

/** Response of GET /v1/prices/history. */
@Example({
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
})
export class PriceHistory {
  @Field.Text('As in the request.') symbol!: string;

  @Field.Word(
    PRICE_SOURCES,
    'Source of the days. local-market: a synthetic past from a seeded model, joined to the prices of the local market.',
  )
  historySource!: PriceSource;

  @Field.Integer('Increases with every added and every corrected day.', { min: 1 }) version!: number;
  @Field.Object(() => PriceBar, 'Oldest first, without today.', { list: true }) bars!: PriceBar[];
  @Field.ItemCount() count!: number;
  @Field.Timestamp('When the history last changed.') updatedAt!: string;
}
