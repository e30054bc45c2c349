import { Inject, Injectable } from '@nestjs/common';
import { appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { Clock, PeriodicService } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { ChainsService } from '../chains/chains.service';
import { PositionsConfig } from '../config';
import { oraclePricesOf } from './oracle-prices';

/** A wait takes up to half longer than planned, and the rest is for the time of a round. */
const PART_OF_HEARTBEAT = 0.6;

/** Publishes the prices of the oracles of every market that can be read. */
@Injectable()
export class OraclePricesPublisher extends PeriodicService {
  constructor(
    private readonly config: PositionsConfig,
    private readonly chains: ChainsService,
    @Inject(Pool) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {
    super({
      name: 'oracle-prices',
      everyMs: PART_OF_HEARTBEAT * config.ORACLE_PRICES_INTERVAL_MS,
      waitsFirst: true,
      failure: 'the prices of oracles could not be published; the next round tries again',
    });
  }

  protected async round(): Promise<void> {
    // While the head of a chain is unknown, nothing is known about the present prices there.
    const reachable = this.chains.all().filter(({ headFailure }) => headFailure === null);
    const events = reachable.flatMap(({ markets }) =>
      markets.flatMap(
        (market) => oraclePricesOf(market, this.clock.now(), this.config.ORACLE_PRICES_INTERVAL_MS) ?? [],
      ),
    );
    await appendToOutbox(
      this.pool,
      events.map((event) => outgoing('oracle-price.v1', event)),
    );
  }
}
