import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { CovarianceV1 } from '@plimsoll/contracts';
import { ReaderLoop } from '@plimsoll/event-bus';
import type { RawPosition } from '@plimsoll/protocols';
import { Health, kafkaSettings } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { PositionsConfig } from '../config';
import { correlatedProbability, movesTogether } from './correlated-probability';

/**
 * The danger of positions whose sides move together, by the latest covariance.v1, which every instance reads
 * separately. Until there is one, the health factor determines their bands.
 */
@Injectable()
export class CorrelatedRisk implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private covariance: CovarianceV1 | null = null;
  private readonly loop = new ReaderLoop(() => ({
    ...kafkaSettings(this.config),
    clientId: 'positions',
    logger: this.logger,
    topics: { 'covariance.v1': 'beginning' },
    onEvents: (...[topic, , events]) => {
      if (topic === 'covariance.v1') for (const { value } of events) this.apply(value);
    },
  }));

  constructor(
    private readonly config: PositionsConfig,
    private readonly logger: PinoLogger,
    health: Health,
  ) {
    health.register(
      'covariance',
      async () => {
        const { ok, detail } = this.loop.health();
        if (!ok) throw new Error(detail);
      },
      { required: false },
    );
  }

  /** The probability of liquidation within 7 days. Null if the health factor alone determines the band. */
  probability7d(position: RawPosition): number | null {
    return this.covariance && correlatedProbability(position, this.covariance);
  }

  /** Whether a probability makes the position's band, now or when there are covariances. */
  concerns(position: RawPosition): boolean {
    return movesTogether(position);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private apply(event: CovarianceV1 | null): void {
    if (event === null || event.version >= (this.covariance?.version ?? 0)) this.covariance = event;
  }
}
