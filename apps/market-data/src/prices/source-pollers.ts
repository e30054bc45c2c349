import { Injectable, type OnModuleInit } from '@nestjs/common';
import { createChainClient, loadRegistry } from '@plimsoll/evm';
import { Clock } from '@plimsoll/service-kit';
import { MarketDataConfig } from '../config';
import { ChainFeedSource } from '../feeds/chain-feed-source';
import { loadPriceFeeds } from '../feeds/price-feeds';
import type { SourceView } from './combine-quotes';
import { CoingeckoSource } from '../sources/coingecko-source';
import { DefillamaSource, withKey } from '../sources/defillama-source';
import type { PriceSource } from '../sources/price-source';
import { SourcePoller } from './source-poller';

/** All configured sources. */
@Injectable()
export class SourcePollers implements OnModuleInit {
  private pollers: SourcePoller[] = [];
  private onReading: () => void = () => undefined;

  constructor(
    private readonly config: MarketDataConfig,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    const sources = [...(await this.chainSources()), ...this.apiSources()];
    const { SOURCE_TIMEOUT_MS } = this.config;
    this.pollers = sources.map(
      (source) => new SourcePoller(source, this.clock, SOURCE_TIMEOUT_MS, () => this.onReading()),
    );
  }

  start(onReading: () => void): void {
    this.onReading = onReading;
    for (const poller of this.pollers) poller.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.pollers.map((poller) => poller.stop()));
  }

  /** Returns the last quotes of the asset from each source that has it. */
  viewsOf(asset: string, nowMs: number): SourceView[] {
    return this.pollers.flatMap((poller) => poller.viewOf(asset, nowMs) ?? []);
  }

  private async chainSources(): Promise<PriceSource[]> {
    const { RPC_URL, REGISTRY_OVERLAY, RPC_TIMEOUT_MS, FEED_POLL_MS } = this.config;
    const { chains } = await loadRegistry(REGISTRY_OVERLAY || undefined);
    const tables = await loadPriceFeeds(REGISTRY_OVERLAY || undefined);
    return RPC_URL.chains.flatMap(({ chainId, rpcUrl, quorum }) => {
      const feeds = tables.find((table) => table.chainId === chainId);
      const chain = chains.find(({ id }) => id === chainId);
      if (!feeds || !chain) return [];
      const client = createChainClient({ chainId, rpcUrl, quorum, timeoutMs: RPC_TIMEOUT_MS });
      return [new ChainFeedSource(feeds, client, chain.multicall3, FEED_POLL_MS, this.clock)];
    });
  }

  private apiSources(): PriceSource[] {
    const { COINGECKO_URL, COINGECKO_KEY, COINGECKO_POLL_MS } = this.config;
    const { DEFILLAMA_URL, DEFILLAMA_KEY, DEFILLAMA_POLL_MS } = this.config;
    const sources: PriceSource[] = [];
    if (COINGECKO_URL !== '') {
      const options = { baseUrl: COINGECKO_URL, key: COINGECKO_KEY, pollMs: COINGECKO_POLL_MS };
      sources.push(new CoingeckoSource(options, this.clock));
    }
    if (DEFILLAMA_URL !== '') {
      const options = { baseUrl: withKey(DEFILLAMA_URL, DEFILLAMA_KEY), pollMs: DEFILLAMA_POLL_MS };
      sources.push(new DefillamaSource(options, this.clock));
    }
    return sources;
  }
}
