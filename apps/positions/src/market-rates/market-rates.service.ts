import { Injectable } from '@nestjs/common';
import {
  type InterestRate,
  type ListMarketRatesQuery,
  type MarketRate,
  type MarketRateHistory,
  type MarketRateHistoryQuery,
  type MarketRateList,
  type MarketWithoutRates,
  type RatePeriodName,
  checksumAddress,
  invalidRequest,
  isId,
  notFound,
} from '@plimsoll/contracts';
import { type RateUnit, yearlyOf } from '@plimsoll/protocols';
import { decodeCursor, pageOf } from '@plimsoll/service-kit';
import { ChainsService } from '../chains/chains.service';
import { MarketRatesRepository, type RateHour, type StoredRate } from './market-rates.repository';

/** Rates of the markets, as stored at their last read. */
@Injectable()
export class MarketRatesService {
  constructor(
    private readonly chains: ChainsService,
    private readonly repository: MarketRatesRepository,
  ) {}

  async list({ limit, cursor, ...query }: ListMarketRatesQuery): Promise<MarketRateList> {
    const after = decodeCursor(cursor, ['integer', 'string', 'string', 'string']);
    const { protocol = null, chainId = null, market = null, asset = null } = query;
    const filter = { protocol, chainId, market, asset };
    const [found, unknown] = await Promise.all([
      this.repository.list(filter, limit + 1, after),
      this.unknown(query),
    ]);
    const { items, nextCursor } = pageOf(found, limit, (last) => [
      last.chainId,
      last.protocol,
      last.market,
      last.id,
    ]);
    return { rates: items.map(rateOf), unknown, count: items.length, nextCursor };
  }

  /** @throws not_found for an asset without rates */
  async history(
    id: string,
    { bucket, since, until, limit, cursor }: MarketRateHistoryQuery,
  ): Promise<MarketRateHistory> {
    const [before] = decodeCursor(cursor, ['time']) ?? [];
    const [from, to] = [since, until].map((at) => (at === undefined ? null : new Date(at))) as [
      Date | null,
      Date | null,
    ];
    if (from && to && to <= from) throw invalidRequest([EMPTY_RANGE]);
    const rate = isId('mkt', id) ? await this.repository.find(id) : null;
    if (!rate) throw notFound('asset of a market');
    const range = { from, to, before: before === undefined ? null : new Date(before) };
    const found = await this.repository.history(id, bucket, range, limit + 1);
    const { items, nextCursor } = pageOf(found, limit, (last) => [last.at.getTime()]);
    return {
      history: items.map((hour) => bucketOf(hour, rate)),
      count: items.length,
      bucket,
      nextCursor,
    };
  }

  /** The markets of this instance without rates. Every instance follows the same ones. */
  private async unknown(query: Pick<ListMarketRatesQuery, 'protocol' | 'chainId' | 'market'>) {
    const known = await this.repository.markets();
    return this.chains
      .all()
      .flatMap(({ markets }) => markets)
      .flatMap(({ reader: { row, hasRates } }): MarketWithoutRates[] => {
        const { protocol, chainId, market } = row;
        const isNamed =
          protocol === (query.protocol ?? protocol) &&
          chainId === (query.chainId ?? chainId) &&
          market === (query.market ?? market);
        if (!isNamed || known.has(`${chainId} ${protocol} ${market}`)) return [];
        return [{ protocol, chainId, market, reason: hasRates ? 'not_read' : 'not_supported' }];
      });
  }
}

const EMPTY_RANGE = {
  field: 'until',
  code: 'out_of_range',
  message: 'until must be later than since.',
};

function rateOf(rate: StoredRate): MarketRate {
  const { unit, supply, borrow } = rate;
  return {
    id: rate.id,
    protocol: rate.protocol,
    chainId: rate.chainId,
    market: rate.market,
    marketId: rate.subId === '' ? null : rate.subId,
    asset: rate.symbol,
    address: checksumAddress(rate.token),
    collateral: rate.collateralSymbol,
    collateralAddress: rate.collateralToken && checksumAddress(rate.collateralToken),
    supply: interest(supply.raw, supply.statedBy, unit),
    borrow: interest(borrow.raw, borrow.statedBy, unit),
    rawDecimals: unit.decimals,
    rawPeriod: unit.period satisfies RatePeriodName,
    periodsPerYear: unit.periodsPerYear,
    block: Number(rate.block),
    blockHash: rate.blockHash,
    blockTime: rate.blockTime.toISOString(),
  };
}

function interest(raw: string | null, statedBy: string | null, unit: RateUnit): InterestRate | null {
  if (raw === null) return null;
  const yearly = yearlyOf(BigInt(raw), unit);
  return {
    aprPercent: yearly && percent(yearly.apr),
    apyPercent: yearly && percent(yearly.apy),
    raw,
    statedBy,
  };
}

function bucketOf(hour: RateHour, rate: StoredRate): MarketRateHistory['history'][number] {
  const { supply, borrow } = rate;
  // Rates with other decimals or another period get another id. A protocol may change how it counts a year.
  const unit = { ...rate.unit, ...hour.unit };
  return {
    at: hour.at.toISOString(),
    samples: hour.samples,
    supplyAprPercent: hour.supplyApr === null ? null : percent(hour.supplyApr),
    borrowAprPercent: hour.borrowApr === null ? null : percent(hour.borrowApr),
    lastSupply: interest(hour.supplyRaw, supply.statedBy, unit),
    lastBorrow: interest(hour.borrowRaw, borrow.statedBy, unit),
    block: Number(hour.block),
    blockTime: hour.blockTime.toISOString(),
  };
}

const percent = (share: number): number => share * 100;
