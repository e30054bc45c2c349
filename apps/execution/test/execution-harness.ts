import { kafkaConsumers } from '@plimsoll/event-bus';
import { ServiceHarness, type ServiceResponse, createTestDatabase } from '@plimsoll/testing';
import { AppModule } from '../src/app.module';
import { ExecutionConfig } from '../src/config';
import type { LocalMarket } from './local-market';
import { startUpstream, type TestUpstream } from './upstream';

export type TestResponse<T> = ServiceResponse<T>;

/** The service over a market. A test server takes the place of positions and market-data. */
export class ExecutionHarness extends ServiceHarness<ExecutionConfig> {
  upstream!: TestUpstream;

  static async start(market: LocalMarket, over: Partial<ExecutionConfig> = {}): Promise<ExecutionHarness> {
    const upstream = await startUpstream();
    for (const [symbol, price] of market.prices()) upstream.prices.set(symbol, price);
    for (const { address } of market.wallets) {
      const place = market.venueOf(address);
      upstream.venues.set(place.id, place);
    }
    const harness = new ExecutionHarness(
      { module: AppModule, config: ExecutionConfig, schema: 'execution', consumers: kafkaConsumers },
      await createTestDatabase(),
      {
        RPC_URL: { chains: [market.endpoint], problem: null },
        REGISTRY_OVERLAY: market.overlayPath,
        UPSTREAM_POSITIONS: upstream.origin,
        UPSTREAM_MARKET_DATA: upstream.origin,
        // The test's chain has no new blocks while nothing is sent.
        MAX_BLOCK_AGE_SECONDS: 3_600,
        ...over,
      },
    );
    harness.upstream = upstream;
    harness.onClose(() => upstream.close());
    await harness.start();
    return harness;
  }

  call<T>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    { headers = {}, accountId }: { headers?: Record<string, string>; accountId?: string } = {},
  ): Promise<TestResponse<T>> {
    return this.request<T>(method, path, { body, headers, ...(accountId && { accountId }) });
  }

  /** A POST of other services, which no document describes. */
  inner<T>(path: string, body: object): Promise<TestResponse<T>> {
    return this.undocumented<T>('POST', path, { body });
  }
}
