import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ParameterChangeV1 } from '@plimsoll/contracts';
import { appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { ChainReadError } from '@plimsoll/evm';
import { Clock, PeriodicService } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { ChainsService } from '../chains/chains.service';
import { PositionsConfig } from '../config';
import type { MarketTracker } from '../tracking/market-tracker';
import { readParameterChanges } from './parameter-changes';

/** A wait takes up to half longer than planned, and the rest is for the time of a round. */
const PART_OF_HEARTBEAT = 0.6;
/** One read of every market, each with its own deadlines. */
const ROUND_DEADLINE_MS = 600_000;

/** Publishes what governance announced to change in every market that can be read, with the effects on tracked positions. */
@Injectable()
export class ParameterChangesPublisher extends PeriodicService {
  private readonly logger = new Logger('parameter-changes');

  constructor(
    private readonly config: PositionsConfig,
    private readonly chains: ChainsService,
    @Inject(Pool) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {
    super({
      name: 'parameter-changes',
      everyMs: PART_OF_HEARTBEAT * config.PARAMETER_CHANGES_INTERVAL_MS,
      waitsFirst: true,
      deadlineMs: ROUND_DEADLINE_MS,
      failure: 'announced changes of parameters could not be published; the next round tries again',
    });
  }

  protected async round(signal: AbortSignal): Promise<void> {
    const reachable = this.chains.all().filter(({ headFailure }) => headFailure === null);
    await Promise.all(
      reachable.map(async ({ markets }) => {
        for (const market of markets) if (!signal.aborted) await this.state(market);
      }),
    );
  }

  /** A market that cannot be read is not published, so its alerts stay as they are. The others do not wait for it. */
  private async state(market: MarketTracker): Promise<void> {
    try {
      const heartbeatMs = this.config.PARAMETER_CHANGES_INTERVAL_MS;
      await this.publish(await readParameterChanges(market, { nowMs: this.clock.now(), heartbeatMs }));
    } catch (error) {
      const { chainId, protocol, market: name } = market.reader.row;
      this.logger.warn({
        msg: 'what governance announced for a market could not be published; the next round tries again',
        chainId,
        protocol,
        market: name,
        reason: error instanceof ChainReadError ? error.code : (error as Error).message,
      });
    }
  }

  private async publish(events: readonly ParameterChangeV1[]): Promise<void> {
    if (events.length === 0) return;
    await appendToOutbox(
      this.pool,
      events.map((event) => outgoing('parameter-change.v1', event)),
    );
  }
}
