import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type PositionDetail, type ProblemBody, type Tier, derivedId } from '@plimsoll/contracts';
import { Health } from '@plimsoll/service-kit';
import {
  createTestDatabase,
  type EventPublisher,
  expectDocumented,
  identityHeaders,
  startPublisher,
  type TestDatabase,
  testKafka,
  waitFor,
} from '@plimsoll/testing';
import type { SimulationConfig } from '../src/config';
import { Covariances } from '../src/market/covariances';
import { PriceHistories } from '../src/market/price-histories';
import { startTestPositions, type TestPositions } from './test-positions';
import { createSimulation, marketEvents, originOf, testConfig } from './test-service';

export type TestResponse<T> = { status: number; headers: Headers; body: T & ProblemBody };

/** The simulation service on a real log, with positions played by a server and market-data by a publisher. */
export class SimulationHarness {
  readonly accountId = derivedId('acc', randomUUID());

  private constructor(
    private readonly database: TestDatabase,
    private readonly publisher: EventPublisher,
    readonly upstream: TestPositions,
    private readonly config: SimulationConfig,
    readonly app: NestFastifyApplication,
    readonly origin: string,
  ) {}

  /** @param symbols whose history is published before the first test */
  static async start(
    symbols: readonly string[],
    over: Partial<SimulationConfig> = {},
  ): Promise<SimulationHarness> {
    const database = await createTestDatabase();
    const log = testKafka();
    const publisher = await startPublisher(database.url, log);
    const upstream = await startTestPositions();
    const config = testConfig(database, log, { UPSTREAM_POSITIONS: upstream.origin, ...over });
    const app = await createSimulation(config);
    await app.listen(0, '127.0.0.1');
    void app.startAllMicroservices();
    const origin = await originOf(app);
    await waitFor(async () => (await app.get(Health).report(2_000)).status === 'ready', {
      timeoutMs: 30_000,
      message: 'the service has caught up',
    });
    const harness = new SimulationHarness(database, publisher, upstream, config, app, origin);
    await harness.publish(symbols);
    return harness;
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.upstream.close();
    await this.publisher.stop();
    await this.database.drop();
  }

  /** Publishes histories and covariances of these price symbols, and waits until the service has them. */
  async publish(symbols: readonly string[]): Promise<void> {
    if (symbols.length === 0) return;
    await this.publisher.publish(...marketEvents(symbols));
    await waitFor(() => this.knows(symbols), { message: `${symbols.join(', ')} are known` });
  }

  /** The position exists from now on. */
  storePosition(position: PositionDetail): PositionDetail {
    this.upstream.positions.set(position.id, position);
    return position;
  }

  headers(tier: Tier = 'enterprise'): Record<string, string> {
    return {
      ...identityHeaders(this.config.IDENTITY_KEYS, this.accountId, { tier }),
      'content-type': 'application/json',
    };
  }

  /** Fails for a response that the OpenAPI document does not describe. */
  async call<T>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    tier: Tier = 'enterprise',
  ): Promise<TestResponse<T>> {
    const response = await fetch(this.origin + path, {
      method,
      headers: this.headers(tier),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const result = {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as T & ProblemBody,
    };
    expectDocumented(method, path, result);
    return result;
  }

  private knows(symbols: readonly string[]): boolean {
    try {
      this.app.get(PriceHistories).of(symbols);
    } catch {
      return false;
    }
    return this.app.get(Covariances).find(symbols, 30) !== null;
  }
}
