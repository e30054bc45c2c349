import { Inject, Injectable, Logger } from '@nestjs/common';
import { appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { PeriodicService } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { ChainsService } from '../chains/chains.service';
import { PositionsConfig } from '../config';
import type { ChainTracker } from '../tracking/chain-tracker';
import { ChainState } from './chain-state';

const POLL_MS = 1_000;

/** Publishes chain.v1 of every chain. Several instances publish the same state of the same node. */
@Injectable()
export class ChainStatePublisher extends PeriodicService {
  private readonly logger = new Logger('chain-state-publisher');
  private readonly states = new Map<ChainTracker, ChainState>();

  constructor(
    private readonly config: PositionsConfig,
    private readonly chains: ChainsService,
    @Inject(Pool) private readonly pool: Pool,
  ) {
    super({
      name: 'chain-state-publisher',
      everyMs: POLL_MS,
      waitsFirst: true,
      failure: 'the states of the chains could not be published; the next round tries again',
    });
  }

  protected async round(): Promise<void> {
    await Promise.all(
      this.chains.all().map(async (tracker) => {
        try {
          const event = this.stateOf(tracker).next(Date.now());
          if (event) await appendToOutbox(this.pool, [outgoing('chain.v1', event)]);
        } catch (error) {
          this.logger.warn({
            msg: 'the state of a chain could not be published; the next heartbeat tries again',
            chainId: tracker.chainId,
            err: error,
          });
        }
      }),
    );
  }

  private stateOf(tracker: ChainTracker): ChainState {
    const state = this.states.get(tracker) ?? new ChainState(tracker, this.config.CHAIN_HEARTBEAT_MS);
    this.states.set(tracker, state);
    return state;
  }
}
