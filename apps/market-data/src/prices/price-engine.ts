import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '@plimsoll/service-kit';
import { ASSETS, type Asset } from '../assets/asset-table';
import { MarketDataConfig } from '../config';
import { Leader, type LeaderJob } from '../leadership/leader';
import { NotLeadingError } from '../leadership/lease.repository';
import { pricesPublished, publishSeconds, stalePrices } from '../metrics';
import { SourcePollers } from './source-pollers';
import { type CombinedPrice, combineQuotes } from './combine-quotes';
import { isSignificant } from './is-significant';
import { PriceBook } from './price-book';
import { priceEvent } from './price-event';
import { type PriceState, type PriceSample, PriceStore } from './price-store';

/** Interval for checking flags without a reading, because a source may have become stale. */
const POLL_MS = 1_000;
const DAY_AGO_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/** Computes prices from the sources, and publishes significant changes. */
@Injectable()
export class PriceEngine implements LeaderJob {
  private readonly logger = new Logger('prices');
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;
  private isDirty = false;
  private isRunning = false;
  private dayAgo = new Map<string, PriceSample>();
  private dayAgoAtMs = 0;

  constructor(
    private readonly config: MarketDataConfig,
    private readonly clock: Clock,
    private readonly pollers: SourcePollers,
    private readonly book: PriceBook,
    private readonly store: PriceStore,
    leader: Leader,
  ) {
    leader.register(this);
  }

  start(): void {
    this.isRunning = true;
    this.pollers.start(() => this.wake());
    this.timer = setInterval(() => this.wake(), POLL_MS);
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    clearInterval(this.timer);
    await this.pollers.stop();
    await this.working;
  }

  /** Checks all assets, and again when readings arrived meanwhile. */
  private wake(): void {
    this.isDirty = true;
    this.working ??= this.work().finally(() => (this.working = undefined));
  }

  private async work(): Promise<void> {
    // One turn of the event loop, so that simultaneous readings are handled together.
    await Promise.resolve();
    while (this.isDirty && this.isRunning) {
      this.isDirty = false;
      try {
        await this.publish();
      } catch (error) {
        if (error instanceof NotLeadingError) return;
        this.logger.warn({ msg: 'prices could not be published; tried again in a second', err: error });
      }
    }
  }

  private async publish(): Promise<void> {
    const begun = performance.now();
    const nowMs = this.clock.now();
    await this.refreshDayAgo(nowMs);
    const policy = { moveBps: this.config.PRICE_MOVE_BPS, heartbeatMs: this.config.PRICE_HEARTBEAT_MS };
    const states = ASSETS.flatMap((asset) => {
      const state = this.stateOf(asset, nowMs);
      return state ? [state] : [];
    });
    stalePrices.set(states.filter(({ event }) => event.isStale).length);
    const news = states.filter(({ event }) =>
      isSignificant(this.book.get(event.asset)?.event, event, nowMs, policy),
    );
    if (news.length === 0) return;
    await this.store.save(news, nowMs);
    for (const state of news) this.book.set(state);
    this.rememberFirst(news, nowMs);
    pricesPublished.inc(news.length);
    publishSeconds.observe((performance.now() - begun) / 1_000);
  }

  private stateOf(asset: Asset, nowMs: number): PriceState | null {
    const views = this.pollers.viewsOf(asset.symbol, nowMs);
    const before = this.book.get(asset.symbol);
    const known = before && {
      priceRaw: BigInt(before.event.priceRaw),
      observedAtMs: Date.parse(before.event.observedAt),
    };
    const price = combineQuotes(asset, views, known ?? null, nowMs);
    if (price === null) return null;
    const { isWholeDay, change24h, changeSinceMs } = this.changeOf(asset.symbol, price, nowMs);
    const event = priceEvent(
      asset.symbol,
      price,
      isWholeDay ? change24h : null,
      nowMs,
      this.config.PRICE_HEARTBEAT_MS,
    );
    return {
      event,
      marketCapUsd: marketCapOf(price) ?? before?.marketCapUsd ?? 0,
      change24h,
      changeSince: new Date(changeSinceMs).toISOString(),
    };
  }

  /**
   * Returns the change since the price of a day ago. Without one, the value of a source, otherwise the change
   * since the first known price.
   */
  private changeOf(
    asset: string,
    price: CombinedPrice,
    nowMs: number,
  ): { isWholeDay: boolean; change24h: number; changeSinceMs: number } {
    const sample = this.dayAgo.get(asset);
    const own = sample ? (Number(price.priceRaw) / 1e18 / sample.priceUsd - 1) * 100 : 0;
    const isOwn = sample !== undefined && sample.atMs <= nowMs - DAY_MS;
    const reported = price.sources.find(({ state, quote }) => state === 'used' && quote?.change24h != null);
    if (!isOwn && reported?.quote?.change24h != null)
      return { isWholeDay: true, change24h: reported.quote.change24h, changeSinceMs: nowMs - DAY_MS };
    return { isWholeDay: isOwn, change24h: own, changeSinceMs: sample?.atMs ?? price.observedAtMs };
  }

  /** Until a day has passed, changes refer to the first known price. */
  private rememberFirst(news: readonly PriceState[], nowMs: number): void {
    for (const { event } of news) {
      const { asset, priceUsd, isStale } = event;
      if (!isStale && !this.dayAgo.has(asset)) this.dayAgo.set(asset, { asset, priceUsd, atMs: nowMs });
    }
  }

  private async refreshDayAgo(nowMs: number): Promise<void> {
    if (nowMs - this.dayAgoAtMs < DAY_AGO_EVERY_MS) return;
    const samples = await this.store.dayAgo(nowMs);
    this.dayAgo = new Map(samples.map((sample) => [sample.asset, sample]));
    this.dayAgoAtMs = nowMs;
    await this.store.forgetSamples(nowMs);
  }
}

/** Returns the value of the first used source that states it. */
function marketCapOf({ sources }: CombinedPrice): number | null {
  const telling = sources.find(({ state, quote }) => state === 'used' && quote?.marketCapUsd != null);
  return telling?.quote?.marketCapUsd ?? null;
}
