import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Identity, PriceV1 } from '@plimsoll/contracts';
import { type ReceivedEvent, kafkaConsumers } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import {
  type EventPublisher,
  ServiceHarness,
  type ServiceResponse,
  createTestDatabase,
  waitFor,
} from '@plimsoll/testing';
import { AppModule } from '../src/app.module';
import { MarketDataConfig } from '../src/config';

/** The service with a clock that the test moves. */
export class MarketFixture extends ServiceHarness<MarketDataConfig> {
  /** Published price.v1 events. */
  prices: ReceivedEvent<PriceV1>[] = [];
  publisher!: EventPublisher;
  /** Moves the clock of the running service. */
  skipMs = 0;

  /** Prepares the service. Nothing runs before `start`. */
  static async create(settings: Partial<MarketDataConfig>): Promise<MarketFixture> {
    const fixture = new MarketFixture(
      { module: AppModule, config: MarketDataConfig, schema: 'market_data', consumers: kafkaConsumers },
      await createTestDatabase(),
      {
        RPC_URL: { chains: [], problem: null },
        RPC_TIMEOUT_MS: 500,
        FEED_POLL_MS: 100,
        SOURCE_TIMEOUT_MS: 300,
        PRICE_HEARTBEAT_MS: 60_000,
        ...settings,
      },
    );
    fixture.publisher = await fixture.startPublisher();
    fixture.prices = (await fixture.collect('price.v1')).events;
    return fixture;
  }

  call<T>(
    method: 'GET' | 'POST',
    url: string,
    body?: unknown,
    identity: Partial<Identity> = {},
  ): Promise<ServiceResponse<T>> {
    return this.request<T>(method, url, { body, as: { tier: 'open', ...identity } });
  }

  /** Returns the first past or future price.v1 of the asset that matches. */
  waitForPrice(asset: string, fits: (price: PriceV1) => boolean): Promise<PriceV1> {
    return waitFor(() => this.prices.find(({ value }) => value?.asset === asset && fits(value))?.value, {
      message: `a price.v1 of ${asset} that fits; ${this.prices.length} events came`,
    });
  }

  protected override prepare(app: NestFastifyApplication): void {
    app.get(Clock).now = () => Date.now() + this.skipMs;
  }
}
