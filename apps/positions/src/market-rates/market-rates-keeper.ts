import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ChainReadError } from '@plimsoll/evm';
import { PeriodicService } from '@plimsoll/service-kit';
import { ChainsService } from '../chains/chains.service';
import { PositionsConfig } from '../config';
import type { ChainTracker } from '../tracking/chain-tracker';
import type { MarketTracker } from '../tracking/market-tracker';
import { MarketRatesRepository } from './market-rates.repository';
import { RatePartitions } from './rate-partitions';

const POLL_MS = 2_000;
const POLLS_PER_INTERVAL = 10;
/** Other instances read at times that differ by a part of the interval. */
const DUE_AFTER = 0.8;
const MAINTENANCE_MS = 3_600_000;
/** One read of every market, each with its own deadlines. */
const ROUND_DEADLINE_MS = 600_000;

/** Reads the rates of every market once an interval, whichever instance does it. */
@Injectable()
export class MarketRatesKeeper extends PeriodicService implements OnModuleInit {
  private readonly logger = new Logger('market-rates');
  private maintenanceAtMs = 0;
  /** Markets whose read failed or found no asset, until the time of the next one. */
  private readonly waiting = new Map<MarketTracker, number>();

  constructor(
    private readonly config: PositionsConfig,
    private readonly chains: ChainsService,
    private readonly rates: MarketRatesRepository,
    private readonly partitions: RatePartitions,
  ) {
    super({
      name: 'market-rates',
      everyMs: Math.min(POLL_MS, config.RATES_INTERVAL_MS / POLLS_PER_INTERVAL),
      waitsFirst: true,
      deadlineMs: ROUND_DEADLINE_MS,
      failure: 'rates could not be read or written; the next round tries again',
    });
  }

  onModuleInit(): Promise<void> {
    return this.partitions.make(new Date());
  }

  protected async round(signal: AbortSignal): Promise<void> {
    const now = new Date();
    if (now.getTime() - this.maintenanceAtMs >= MAINTENANCE_MS) {
      await this.partitions.make(now);
      await this.partitions.drop(now);
      this.maintenanceAtMs = now.getTime();
    }
    const readAt = await this.rates.markets();
    const dueBeforeMs = now.getTime() - DUE_AFTER * this.config.RATES_INTERVAL_MS;
    const isDue = (market: MarketTracker): boolean => {
      const { hasRates, row } = market.reader;
      const last = readAt.get(`${row.chainId} ${row.protocol} ${row.market}`)?.getTime() ?? 0;
      return hasRates && last <= dueBeforeMs && (this.waiting.get(market) ?? 0) <= now.getTime();
    };
    const reachable = this.chains.all().filter(({ headFailure }) => headFailure === null);
    await Promise.all(
      reachable.map(async (tracker) => {
        for (const market of tracker.markets.filter(isDue))
          if (!signal.aborted) await this.read(tracker, market);
      }),
    );
  }

  /** A market that cannot be read keeps its last rates, and the tracker reports its failure. */
  private async read({ latest }: ChainTracker, market: MarketTracker): Promise<void> {
    const { reader } = market;
    if (!latest || !market.figures) return;
    try {
      const rates = await reader.readRates(latest);
      if (rates) await this.rates.save(reader.row, latest, rates);
      if (rates?.length) this.waiting.delete(market);
      else this.waiting.set(market, Date.now() + this.config.RATES_INTERVAL_MS);
    } catch (error) {
      if (!(error instanceof ChainReadError)) throw error;
      this.waiting.set(market, Date.now() + this.config.RATES_INTERVAL_MS / POLLS_PER_INTERVAL);
      const { chainId, protocol, market: name } = reader.row;
      this.logger.warn({
        msg: 'the rates of a market could not be read; they are read again soon',
        chainId,
        protocol,
        market: name,
        reason: error.code,
      });
    }
  }
}
