import { Inject, Injectable } from '@nestjs/common';
import { type HistoryBucket, derivedId } from '@plimsoll/contracts';
import type { BlockRef, MarketRow } from '@plimsoll/evm';
import { type AssetRates, type RateUnit, yearlyOf } from '@plimsoll/protocols';
import { Conditions, inTransaction, type Statement } from '@plimsoll/service-kit';
import { Pool } from 'pg';

/** A rate with the function that stated it. Null: not stated. */
interface StoredInterest {
  raw: string | null;
  statedBy: string | null;
}

/** The last rates of an asset of a market. */
export interface StoredRate {
  id: string;
  chainId: number;
  protocol: string;
  market: string;
  subId: string;
  token: string;
  symbol: string;
  collateralToken: string | null;
  collateralSymbol: string | null;
  unit: RateUnit;
  supply: StoredInterest;
  borrow: StoredInterest;
  block: string;
  blockHash: string;
  blockTime: Date;
}

/** Rates of an hour or a day. */
export interface RateHour {
  at: Date;
  samples: number;
  /** Average of the yearly shares. Null: none was known. */
  supplyApr: number | null;
  borrowApr: number | null;
  supplyRaw: string | null;
  borrowRaw: string | null;
  /** How the protocol counted a year at the last rates. */
  unit: Pick<RateUnit, 'periodsPerYear' | 'compoundsPerYear'>;
  block: string;
  blockTime: Date;
}

/** Null: any. */
export interface RateFilter {
  protocol: string | null;
  chainId: number | null;
  market: string | null;
  asset: string | null;
}

/** Null: no bound. */
export interface RateRange {
  from: Date | null;
  to: Date | null;
  /** Only buckets that begin before. */
  before: Date | null;
}

const COLUMNS = `id, chain_id AS "chainId", protocol, market, sub_id AS "subId", token, symbol,
  collateral_token AS "collateralToken", collateral_symbol AS "collateralSymbol",
  json_build_object('decimals', decimals, 'period', period, 'periodsPerYear', periods_per_year,
    'compoundsPerYear', compounds_per_year) AS unit,
  json_build_object('raw', supply_raw::text, 'statedBy', supply_function) AS supply,
  json_build_object('raw', borrow_raw::text, 'statedBy', borrow_function) AS borrow,
  block, block_hash AS "blockHash", block_time AS "blockTime"`;

/** Parameters of one read: its row, its block, and a column for each figure. */
const READ = `read AS (
  SELECT * FROM unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::smallint[],
    $15::text[], $16::float8[], $17::float8[], $18::numeric[], $19::text[], $20::numeric[], $21::text[], $22::float8[],
    $23::float8[])
  AS read (id, sub_id, token, symbol, collateral_token, collateral_symbol, decimals, period, periods_per_year,
    compounds_per_year, supply_raw, supply_function, borrow_raw, borrow_function, supply_apr, borrow_apr)
)`;

/** The read of an older block changes nothing. */
const SAVE = `
WITH ${READ}, saved AS (
  INSERT INTO market_rates AS known (chain_id, protocol, market, block, block_hash, block_time, read_at, id, sub_id, token,
    symbol, collateral_token, collateral_symbol, decimals, period, periods_per_year, compounds_per_year, supply_raw,
    supply_function, borrow_raw, borrow_function)
  SELECT $1::int, $2, $3, $4::bigint, $5, $6::timestamptz, $7::timestamptz, id, sub_id, token, symbol, collateral_token,
    collateral_symbol, decimals, period, periods_per_year, compounds_per_year, supply_raw, supply_function, borrow_raw,
    borrow_function
  FROM read ORDER BY id
  ON CONFLICT (id) DO UPDATE SET symbol = excluded.symbol, collateral_symbol = excluded.collateral_symbol,
    periods_per_year = excluded.periods_per_year, compounds_per_year = excluded.compounds_per_year,
    supply_raw = excluded.supply_raw, supply_function = excluded.supply_function, borrow_raw = excluded.borrow_raw,
    borrow_function = excluded.borrow_function, block = excluded.block, block_hash = excluded.block_hash,
    block_time = excluded.block_time, read_at = excluded.read_at, removed_at = NULL
  WHERE known.block_time <= excluded.block_time
)
INSERT INTO market_rate_hours AS known (id, hour, samples, supply_raw, borrow_raw, periods_per_year, compounds_per_year,
  supply_sum, supply_samples, borrow_sum, borrow_samples, block, block_time)
SELECT id, date_trunc('hour', $7::timestamptz, 'UTC'), 1, supply_raw, borrow_raw, periods_per_year, compounds_per_year,
  coalesce(supply_apr, 0), (supply_apr IS NOT NULL)::int, coalesce(borrow_apr, 0), (borrow_apr IS NOT NULL)::int, $4::bigint, $6::timestamptz
FROM read ORDER BY id
ON CONFLICT (id, hour) DO UPDATE SET samples = known.samples + 1, supply_raw = excluded.supply_raw,
  borrow_raw = excluded.borrow_raw, periods_per_year = excluded.periods_per_year,
  compounds_per_year = excluded.compounds_per_year, supply_sum = known.supply_sum + excluded.supply_sum,
  supply_samples = known.supply_samples + excluded.supply_samples, borrow_sum = known.borrow_sum + excluded.borrow_sum,
  borrow_samples = known.borrow_samples + excluded.borrow_samples, block = excluded.block,
  block_time = excluded.block_time
WHERE known.block_time < excluded.block_time`;

/** Assets that the market no longer lends, or whose rates it no longer states. */
const REMOVE = `
UPDATE market_rates SET removed_at = now()
WHERE chain_id = $1 AND protocol = $2 AND market = $3 AND block_time < $4 AND id <> ALL($5) AND removed_at IS NULL`;

/** The primary key finds the hours of an asset. */
export const HISTORY = `
SELECT date_trunc($2, hour, 'UTC') AS at, sum(samples)::int AS samples,
  sum(supply_sum) / nullif(sum(supply_samples), 0) AS "supplyApr",
  sum(borrow_sum) / nullif(sum(borrow_samples), 0) AS "borrowApr",
  (array_agg(supply_raw ORDER BY hour DESC))[1]::text AS "supplyRaw",
  (array_agg(borrow_raw ORDER BY hour DESC))[1]::text AS "borrowRaw",
  json_build_object('periodsPerYear', (array_agg(periods_per_year ORDER BY hour DESC))[1],
    'compoundsPerYear', (array_agg(compounds_per_year ORDER BY hour DESC))[1]) AS unit,
  max(block) AS block, max(block_time) AS "blockTime"
FROM market_rate_hours
WHERE id = $1 AND ($3::timestamptz IS NULL OR hour >= date_trunc($2, $3::timestamptz, 'UTC'))
  AND ($4::timestamptz IS NULL OR date_trunc($2, hour, 'UTC') < $4)
  AND ($5::timestamptz IS NULL OR hour < $5)
GROUP BY 1 ORDER BY 1 DESC LIMIT $6`;

/** Rates as stored: the last of each asset, and by hour. */
@Injectable()
export class MarketRatesRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async list(
    filter: RateFilter,
    limit: number,
    after: readonly (string | number)[] | null,
  ): Promise<StoredRate[]> {
    const { text, values } = listSql(filter, limit, after);
    const { rows } = await this.pool.query<StoredRate>(text, values);
    return rows;
  }

  /** One that the market no longer lends has its history still. */
  async find(id: string): Promise<StoredRate | null> {
    const { rows } = await this.pool.query<StoredRate>(`SELECT ${COLUMNS} FROM market_rates WHERE id = $1`, [
      id,
    ]);
    return rows[0] ?? null;
  }

  /** Newest first. */
  async history(
    id: string,
    bucket: HistoryBucket,
    { from, to, before }: RateRange,
    limit: number,
  ): Promise<RateHour[]> {
    const { rows } = await this.pool.query<RateHour>(HISTORY, [id, bucket, from, to, before, limit]);
    return rows;
  }

  /** When each market was read, by chain, protocol and market with spaces between. */
  async markets(): Promise<Map<string, Date>> {
    const { rows } = await this.pool.query<{ market: string; readAt: Date }>(
      `SELECT chain_id || ' ' || protocol || ' ' || market AS market, max(read_at) AS "readAt"
       FROM market_rates WHERE removed_at IS NULL GROUP BY chain_id, protocol, market`,
    );
    return new Map(rows.map(({ market, readAt }) => [market, readAt]));
  }

  /** Stores all rates of a market at a block. */
  async save(row: MarketRow, block: BlockRef, rates: readonly AssetRates[]): Promise<void> {
    const { chainId, protocol, market } = row;
    const blockTime = new Date(Number(block.timestamp) * 1_000);
    const ids = rates.map((each) => rateId(row, each));
    const of = <T>(valueOf: (rates: AssetRates) => T): T[] => rates.map(valueOf);
    await inTransaction(this.pool, async (tx) => {
      await tx.query(SAVE, [
        chainId,
        protocol,
        market,
        String(block.number),
        block.hash,
        blockTime,
        new Date(),
        ids,
        of(({ subId }) => subId),
        of(({ token }) => token),
        of(({ symbol }) => symbol),
        of(({ collateral }) => collateral?.token ?? null),
        of(({ collateral }) => collateral?.symbol ?? null),
        of(({ unit }) => unit.decimals),
        of(({ unit }) => unit.period),
        of(({ unit }) => unit.periodsPerYear),
        of(({ unit }) => unit.compoundsPerYear),
        of(({ supply }) => supply && String(supply.raw)),
        of(({ supply }) => supply?.statedBy ?? null),
        of(({ borrow }) => borrow && String(borrow.raw)),
        of(({ borrow }) => borrow?.statedBy ?? null),
        of(({ supply, unit }) => (supply && yearlyOf(supply.raw, unit)?.apr) ?? null),
        of(({ borrow, unit }) => (borrow && yearlyOf(borrow.raw, unit)?.apr) ?? null),
      ]);
      await tx.query(REMOVE, [chainId, protocol, market, blockTime, ids]);
    });
  }
}

/** The query of a page. Each filter has an index with the order of the list (`market_rates_…`). */
function listSql(
  { protocol, chainId, market, asset }: RateFilter,
  limit: number,
  after: readonly (string | number)[] | null,
): Statement {
  const conditions = new Conditions();
  conditions.add('removed_at IS NULL');
  conditions.equal('protocol', protocol);
  conditions.where((chain) => `chain_id = ${chain}::bigint`, chainId);
  conditions.equal('market', market);
  conditions.where((symbol) => `upper(symbol) = upper(${symbol})`, asset);
  if (after) {
    const [chain, ...rest] = after.map((value) => conditions.parameter(value));
    conditions.add(`(chain_id, protocol, market, id) > (${chain}::bigint, ${rest.join(', ')})`);
  }
  const text = `SELECT ${COLUMNS} FROM market_rates WHERE ${conditions.sql}
    ORDER BY chain_id, protocol, market, id LIMIT ${conditions.parameter(limit)}`;
  return { text, values: conditions.values };
}

/** The unit is a part of it, so that a history has one unit. */
function rateId({ chainId, protocol, market }: MarketRow, { subId, token, unit }: AssetRates): string {
  return derivedId('mkt', chainId, protocol, market, subId, token, unit.decimals, unit.period);
}
