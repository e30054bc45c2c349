import { Injectable } from '@nestjs/common';
import {
  type BatchPriceEntry,
  type PriceBatch,
  type PriceEntry,
  type PriceList,
  type PriceQuality,
  Problem,
  invalidRequest,
} from '@plimsoll/contracts';
import { Clock } from '@plimsoll/service-kit';
import { findAsset } from '../assets/asset-table';
import { PriceBook } from './price-book';
import type { PriceState } from './price-store';

/** Most symbols of one request. */
const MAX_SYMBOLS = 200;

@Injectable()
export class PricesService {
  constructor(
    private readonly book: PriceBook,
    private readonly clock: Clock,
  ) {}

  /** @param symbols separated by commas */
  list(symbols: string): PriceList {
    const parts = symbols.split(',');
    if (parts.length > MAX_SYMBOLS || parts.includes('')) {
      const message = `Name 1 to ${MAX_SYMBOLS} symbols, separated by single commas.`;
      throw invalidRequest([{ field: 'symbols', code: 'invalid_symbols', message }]);
    }
    const { found, missing } = this.find(parts.map((part) => part.trim()));
    // The newest of all instead of the clock, so that the same prices are the same response.
    const timestamp = found.reduce((latest, [, { event }]) => max(latest, event.publishedAt), '');
    return {
      prices: Object.fromEntries(found.map(([name, state]) => [name, this.entry(state)])),
      missing,
      timestamp: timestamp || this.book.latestAt || new Date(this.clock.now()).toISOString(),
    };
  }

  batch(names: readonly string[]): PriceBatch {
    const { found, missing } = this.find(names);
    const prices = Object.fromEntries(found.map(([name, state]) => [name, this.batchEntry(state)]));
    return { prices, missing, count: Object.keys(prices).length };
  }

  /** @throws upstream_unavailable when no source ever had a price */
  private find(names: readonly string[]): { found: [string, PriceState][]; missing: string[] } {
    const found: [string, PriceState][] = [];
    const missing = new Set<string>();
    let isAnyListed = false;
    for (const name of names) {
      const asset = findAsset(name);
      const state = asset && this.book.get(asset.symbol);
      isAnyListed ||= asset !== undefined;
      if (state) found.push([name, state]);
      else missing.add(name);
    }
    if (isAnyListed && this.book.latestAt === '') {
      throw new Problem(
        'upstream_unavailable',
        'No source has returned these prices since this service was set up. Try again in a minute.',
        { headers: { 'retry-after': '60' } },
      );
    }
    return { found, missing: [...missing] };
  }

  private entry(state: PriceState): PriceEntry {
    return { usd: state.event.priceUsd, change24h: state.change24h, ...this.quality(state) };
  }

  private batchEntry(state: PriceState): BatchPriceEntry {
    return {
      usd: state.event.priceUsd,
      usd_24h_change: state.change24h,
      usd_market_cap: state.marketCapUsd,
      ...this.quality(state),
    };
  }

  private quality({ event, changeSince }: PriceState): PriceQuality {
    // The publisher of prices is silent, so the known price may be old.
    const isSilent = this.clock.now() - Date.parse(event.publishedAt) > 2 * event.heartbeatMs;
    return {
      changeSince,
      observedAt: event.observedAt,
      isStale: event.isStale || isSilent,
      isDeviating: event.isDeviating,
      isDepegged: event.isDepegged,
      spreadPercent: event.spreadPercent,
      sources: event.sources.map(({ source, chainId, state, priceUsd }) => ({
        source,
        state,
        usd: priceUsd,
        ...(chainId !== null && { chainId }),
      })),
    };
  }
}

function max(a: string, b: string): string {
  return a > b ? a : b;
}
