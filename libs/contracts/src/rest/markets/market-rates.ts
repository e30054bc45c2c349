import { Type as Convert } from 'class-transformer';
import { IsIn, IsInt, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Example, Field, IsMoment, Optional, PageQuery, TIMESTAMP } from '../fields';
import { HISTORY_BUCKETS, type HistoryBucket } from '../positions/history';

/** Times for which contracts state rates. */
export const RATE_PERIODS = ['year', 'second', 'block'] as const;

export type RatePeriodName = (typeof RATE_PERIODS)[number];

/** Reasons for which the rates of a market are unknown. */
export const UNKNOWN_RATES = ['not_supported', 'not_read'] as const;

export type UnknownRatesReason = (typeof UNKNOWN_RATES)[number];

/** Query of GET /v1/markets/rates. */
export class ListMarketRatesQuery extends PageQuery {
  @JSONSchema({ description: 'Only markets of this protocol, as in GET /v1/protocols.' })
  @Optional()
  @IsString()
  @MaxLength(64)
  protocol?: string;

  @JSONSchema({ description: 'Only markets on this chain, as in GET /v1/chains.' })
  @Optional()
  @Convert(() => Number)
  @IsInt()
  @Min(1)
  @Max(2 ** 53 - 1)
  chainId?: number;

  @JSONSchema({ description: 'Only the market with this name, as in GET /v1/protocols/{id}.' })
  @Optional()
  @IsString()
  @MaxLength(64)
  market?: string;

  @JSONSchema({ description: 'Only this asset: its symbol in any case.' })
  @Optional()
  @IsString()
  @MinLength(1)
  @MaxLength(32)
  asset?: string;
}

/** Query of GET /v1/markets/rates/:id/history. */
export class MarketRateHistoryQuery extends PageQuery {
  @JSONSchema({ description: 'Length of a bucket. Hours and days begin in UTC.' })
  @IsIn(HISTORY_BUCKETS)
  bucket: HistoryBucket = 'hour';

  @JSONSchema({ description: 'The first bucket contains this time (ISO 8601). Absent: the oldest one.' })
  @Optional()
  @IsMoment()
  since?: string;

  @JSONSchema({
    description: 'The last bucket begins before this time (ISO 8601). Absent: the newest one.',
  })
  @Optional()
  @IsMoment()
  until?: string;
}

const SUPPLY = {
  aprPercent: 4.7891,
  apyPercent: 4.9056,
  raw: '47891000000000000000000000',
  statedBy: 'getReserveData.currentLiquidityRate',
};
const BORROW = {
  aprPercent: 6.2144,
  apyPercent: 6.4116,
  raw: '62144000000000000000000000',
  statedBy: 'getReserveData.currentVariableBorrowRate',
};
const MARKET_RATE_ID = 'mkt_01aBcDeFgHiJkLmNoPqRsT';
const RATE = {
  id: MARKET_RATE_ID,
  protocol: 'aave-v3',
  chainId: 1,
  market: 'AaveV3Ethereum',
  marketId: null,
  asset: 'USDC',
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  collateral: null,
  collateralAddress: null,
  supply: SUPPLY,
  borrow: BORROW,
  rawDecimals: 27,
  rawPeriod: 'year',
  periodsPerYear: 1,
  block: 24_100_207,
  blockHash: '0x8e38b4dbf6b11fcc3b9dee84fb7986e29ca0a02cecd8977c161ff7333329681e',
  blockTime: TIMESTAMP,
};

/** A rate of interest. */
export class InterestRate {
  @Field.Number(
    'Percent a year without compounding. Null: the protocol does not say how many blocks a year has.',
    { nullable: true },
  )
  aprPercent!: number | null;

  @Field.Number(
    'Percent a year when interest is added as often as the protocol adds it: each second or each block. Null with aprPercent.',
    { nullable: true },
  )
  apyPercent!: number | null;

  @Field.Digits('The whole number from the contract. See rawDecimals and rawPeriod.') raw!: string;

  @Field.Text(
    'The function of the contract, and its field, that returned raw. Null: the contract states no such rate, and raw is computed from its other values.',
    { nullable: true },
  )
  statedBy!: string | null;
}

/** The rates of one asset in one market. */
export class MarketRate {
  @Field.Id('mkt', 'Id of the asset in its market. It never changes.') id!: string;
  @Field.Text('Protocol id.', { example: 'aave-v3' }) protocol!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Text('Name of the market, as in GET /v1/protocols/{id}.') market!: string;

  @Field.Text(
    'The market within it: the id of a Morpho market, the address of a market token, pair, vault, silo or controller, or an ilk of Sky. Null where the market has one reserve for each asset.',
    { nullable: true },
  )
  marketId!: string | null;

  @Field.Text('Symbol of the lent asset.', { example: 'USDC' }) asset!: string;

  @Field.Address('Contract of the lent token. The zero address is the chain’s own coin.') address!: string;

  @Field.Text('Symbol of the token that secures the loans. Null: several can.', { nullable: true })
  collateral!: string | null;

  @Field.Address('Contract of that token. Null with collateral.', { nullable: true })
  collateralAddress!: string | null;

  @Field.Object(
    () => InterestRate,
    'The rate that suppliers receive. Null: it has none, or the market does not state it.',
    {
      nullable: true,
    },
  )
  supply!: InterestRate | null;

  @Field.Object(
    () => InterestRate,
    'The variable rate that borrowers pay. Null: the market does not lend the asset, or does not state it.',
    { nullable: true },
  )
  borrow!: InterestRate | null;

  @Field.Integer('Decimals of raw: 10 to this power is 100 % for each rawPeriod.', { min: 0, max: 36 })
  rawDecimals!: number;

  @Field.Word(RATE_PERIODS, 'The time for which raw is stated.') rawPeriod!: RatePeriodName;

  @Field.Number('Periods in a year, as the protocol counts them. Null: it does not say.', {
    min: 0,
    nullable: true,
  })
  periodsPerYear!: number | null;

  @Field.Integer('Block of the rates.', { min: 0 }) block!: number;
  @Field.Text('Hash of that block.', { pattern: '^0x[0-9a-f]{64}$' }) blockHash!: string;
  @Field.Timestamp('Time of that block.') blockTime!: string;
}

/** A market whose rates are unknown. */
export class MarketWithoutRates {
  @Field.Text('Protocol id.') protocol!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Text('Name of the market.') market!: string;

  @Field.Word(
    UNKNOWN_RATES,
    'not_supported: the platform does not read rates of this protocol. not_read: they could not be read yet.',
  )
  reason!: UnknownRatesReason;
}

/** Response of GET /v1/markets/rates. */
@Example({
  rates: [RATE],
  unknown: [{ protocol: 'liquity-v2', chainId: 1, market: 'liquity-v2', reason: 'not_supported' }],
  count: 1,
  nextCursor: null,
})
export class MarketRateList {
  @Field.Object(() => MarketRate, 'By chain, protocol and market.', { list: true }) rates!: MarketRate[];

  @Field.Object(
    () => MarketWithoutRates,
    'Markets that match the protocol, chain and market of the request and have no rates here. The same on every page.',
    { list: true },
  )
  unknown!: MarketWithoutRates[];

  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}

/** The rates of an asset in an hour or a day. */
export class MarketRateBucket {
  @Field.Timestamp('Start of the bucket.') at!: string;
  @Field.Integer('Reads in the bucket.', { min: 1 }) samples!: number;

  @Field.Number('Average aprPercent of the reads. Null: unknown in all of them.', { nullable: true })
  supplyAprPercent!: number | null;

  @Field.Number('Average aprPercent of the reads. Null: unknown in all of them.', { nullable: true })
  borrowAprPercent!: number | null;

  @Field.Object(() => InterestRate, 'The last one of the bucket.', { nullable: true })
  lastSupply!: InterestRate | null;

  @Field.Object(() => InterestRate, 'The last one of the bucket.', { nullable: true })
  lastBorrow!: InterestRate | null;

  @Field.Integer('Block of the last rates.', { min: 0 }) block!: number;
  @Field.Timestamp('Time of that block.') blockTime!: string;
}

/** Response of GET /v1/markets/rates/:id/history. */
@Example({
  history: [
    {
      at: TIMESTAMP,
      samples: 12,
      supplyAprPercent: 4.7712,
      borrowAprPercent: 6.2013,
      lastSupply: SUPPLY,
      lastBorrow: BORROW,
      block: 24_100_207,
      blockTime: TIMESTAMP,
    },
  ],
  count: 1,
  bucket: 'hour',
  nextCursor: null,
})
export class MarketRateHistory {
  @Field.Object(() => MarketRateBucket, 'Newest first. A bucket without a read is absent.', { list: true })
  history!: MarketRateBucket[];

  @Field.ItemCount() count!: number;
  @Field.Word(HISTORY_BUCKETS, 'As in the request.') bucket!: HistoryBucket;
  @Field.NextCursor() nextCursor!: string | null;
}
