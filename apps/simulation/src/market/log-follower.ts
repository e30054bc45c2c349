import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ReaderLoop } from '@plimsoll/event-bus';
import { Health, kafkaSettings } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { SimulationConfig } from '../config';
import { Covariances } from './covariances';
import { PriceHistories } from './price-histories';

/** Reads histories and covariances from the beginning on every instance, and keeps the latest in memory. */
@Injectable()
export class LogFollower implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new ReaderLoop(() => ({
    ...kafkaSettings(this.config),
    clientId: 'simulation',
    logger: this.logger,
    topics: { 'price-history.v1': 'beginning', 'covariance.v1': 'beginning' },
    onEvents: (...[topic, , events]) => {
      if (topic === 'price-history.v1') {
        for (const { key, value } of events) this.histories.apply(key, value);
      }
      if (topic === 'covariance.v1') for (const { value } of events) this.covariances.apply(value);
    },
  }));

  constructor(
    private readonly config: SimulationConfig,
    private readonly logger: PinoLogger,
    private readonly histories: PriceHistories,
    private readonly covariances: Covariances,
    health: Health,
  ) {
    // Calls that need no history work without the log, and histories in memory remain valid for a day.
    health.register(
      'log',
      async () => {
        const { ok, detail } = this.loop.health();
        if (!ok) throw new Error(detail);
      },
      { required: false },
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
