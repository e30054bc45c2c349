import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '@plimsoll/service-kit';
import { type Asset, ASSETS } from '../assets/asset-table';
import { MarketDataConfig } from '../config';
import { NotLeadingError } from '../leadership/lease.repository';
import { PriceBook } from '../prices/price-book';
import { type DayBar, addDays } from './day-bar';
import { HistoryApis } from './history-apis';
import type { StoredHistory } from './history-event';
import type { HistorySource } from './history-source';
import { HistoryRepository } from './history.repository';
import { localDynamics, syntheticHistory } from './synthetic-history';

/** An API corrects its last days, so they are requested again with each new one. */
const RETRY_AFTER_DAYS = 3;
/** Delay after a failed read of an asset's history. */
const TRY_AGAIN_MS = 600_000;

/**
 * Extends every asset's history to a day: from an API, from published prices, or with a synthetic past for a
 * local market.
 */
@Injectable()
export class HistoryFiller {
  private readonly logger = new Logger('history');
  private readonly notBeforeMs = new Map<string, number>();

  constructor(
    private readonly config: MarketDataConfig,
    private readonly clock: Clock,
    private readonly apis: HistoryApis,
    private readonly book: PriceBook,
    private readonly repository: HistoryRepository,
  ) {}

  /** @returns whether any history changed */
  async fillTo(lastDay: string, signal: AbortSignal): Promise<boolean> {
    const histories = await this.repository.histories();
    const known = new Map(histories.map((history) => [history.asset, history]));
    let hasChanged = await this.createSyntheticPast(lastDay, known);
    for (const asset of ASSETS) {
      if (signal.aborted) break;
      const history = known.get(asset.symbol);
      const isDue = history === undefined || history.lastDay < lastDay;
      if (!isDue || (this.notBeforeMs.get(asset.symbol) ?? 0) > this.clock.now()) continue;
      hasChanged = (await this.fill(asset, history, lastDay, signal)) || hasChanged;
    }
    return hasChanged;
  }

  private async fill(
    asset: Asset,
    history: StoredHistory | undefined,
    lastDay: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const api = this.apis.of(asset);
    try {
      const filled = api
        ? await this.fillFromApi(asset, api, history, lastDay, signal)
        : await this.fillFromPublished(asset, history, lastDay);
      if (!filled) this.notBeforeMs.set(asset.symbol, this.clock.now() + TRY_AGAIN_MS);
      return filled;
    } catch (error) {
      if (error instanceof NotLeadingError || signal.aborted) return false;
      this.notBeforeMs.set(asset.symbol, this.clock.now() + TRY_AGAIN_MS);
      this.logger.warn({
        msg: 'a history could not be filled; tried again in ten minutes',
        asset: asset.symbol,
        err: error,
      });
      return false;
    }
  }

  private async fillFromApi(
    asset: Asset,
    api: HistorySource,
    history: StoredHistory | undefined,
    lastDay: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const days = this.config.HISTORY_DAYS;
    const firstDay = history ? addDays(history.lastDay, 1 - RETRY_AFTER_DAYS) : addDays(lastDay, 1 - days);
    const bars = await api.bars(asset, firstDay, lastDay, signal);
    return this.append(asset, history, api.name, bars, lastDay);
  }

  private async fillFromPublished(
    asset: Asset,
    history: StoredHistory | undefined,
    lastDay: string,
  ): Promise<boolean> {
    const source = this.onChainSource(asset.symbol);
    if (source === undefined) return false;
    const firstDay = history ? addDays(history.lastDay, 1) : addDays(lastDay, 1 - RETRY_AFTER_DAYS);
    const bars = await this.repository.liveBars(asset.symbol, firstDay, lastDay);
    return this.append(asset, history, source, bars, lastDay);
  }

  private append(
    asset: Asset,
    history: StoredHistory | undefined,
    source: StoredHistory['historySource'],
    bars: readonly DayBar[],
    lastDay: string,
  ): Promise<boolean> {
    // A history keeps its first source, because a mix of two sources would show moves that never happened.
    return this.repository.append(
      asset.symbol,
      history?.historySource ?? source,
      bars,
      lastDay,
      this.clock.now(),
    );
  }

  /** Creates a past for assets of a local market without one. */
  private async createSyntheticPast(
    lastDay: string,
    known: ReadonlyMap<string, StoredHistory>,
  ): Promise<boolean> {
    const local = ASSETS.flatMap((asset) => {
      const isLocal = !this.apis.of(asset) && this.onChainSource(asset.symbol) === 'local-market';
      const price = this.book.get(asset.symbol)?.event;
      if (!isLocal || !price) return [];
      const dynamics = localDynamics(asset.symbol, asset.pegUsd !== undefined);
      return [{ symbol: asset.symbol, dynamics, priceUsd: price.priceUsd }];
    });
    const bare = local.filter(({ symbol }) => !known.has(symbol));
    if (bare.length === 0) return false;
    const { HISTORY_DAYS, MARKET_SEED } = this.config;
    const past = syntheticHistory(local, HISTORY_DAYS, lastDay, MARKET_SEED);
    for (const { symbol } of bare) {
      await this.repository.append(symbol, 'local-market', past.get(symbol)!, lastDay, this.clock.now());
    }
    this.logger.log({
      msg: 'the local market has a history',
      assets: bare.map(({ symbol }) => symbol),
      days: HISTORY_DAYS,
    });
    return true;
  }

  /** Returns the source of the feeds that provide the asset's price. */
  private onChainSource(symbol: string): 'chainlink' | 'local-market' | undefined {
    const sources = this.book.get(symbol)?.event.sources ?? [];
    if (sources.some(({ source }) => source === 'chainlink')) return 'chainlink';
    return sources.some(({ source }) => source === 'local-market') ? 'local-market' : undefined;
  }
}
