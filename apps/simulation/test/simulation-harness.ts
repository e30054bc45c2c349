import type { PositionDetail, Tier } from '@plimsoll/contracts';
import {
  type EventPublisher,
  ServiceHarness,
  type ServiceResponse,
  createTestDatabase,
  waitFor,
} from '@plimsoll/testing';
import type { SimulationConfig } from '../src/config';
import { Covariances } from '../src/market/covariances';
import { PriceHistories } from '../src/market/price-histories';
import { startTestPositions, type TestPositions } from './test-positions';
import { SIMULATION, marketEvents } from './test-service';

export type TestResponse<T> = ServiceResponse<T>;

/** While other suites use every core, a simulation of one second can take longer than the default of ten. */
const BUSY_MACHINE_MS = 60_000;

/** The service with a server in place of positions and a publisher in place of market-data. */
export class SimulationHarness extends ServiceHarness<SimulationConfig> {
  upstream!: TestPositions;
  private publisher!: EventPublisher;

  /** @param symbols whose history is published before the first test */
  static async start(
    symbols: readonly string[],
    over: Partial<SimulationConfig> = {},
  ): Promise<SimulationHarness> {
    const upstream = await startTestPositions();
    const harness = new SimulationHarness(SIMULATION, await createTestDatabase(), {
      UPSTREAM_POSITIONS: upstream.origin,
      SIMULATION_DEADLINE_MS: BUSY_MACHINE_MS,
      ...over,
    });
    harness.upstream = upstream;
    harness.onClose(() => upstream.close());
    harness.publisher = await harness.startPublisher();
    await harness.start();
    await harness.publish(symbols);
    return harness;
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

  call<T>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    tier: Tier = 'enterprise',
  ): Promise<TestResponse<T>> {
    return this.request<T>(method, path, { body, as: { tier } });
  }

  private knows(symbols: readonly string[]): boolean {
    try {
      this.part(PriceHistories).of(symbols);
    } catch {
      return false;
    }
    return this.part(Covariances).find(symbols, 30) !== null;
  }
}
