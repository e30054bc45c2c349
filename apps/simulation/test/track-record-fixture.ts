import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { PositionV1, TrackRecord } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import {
  type EventPublisher,
  ServiceHarness,
  type ServiceResponse,
  createTestDatabase,
  waitFor,
} from '@plimsoll/testing';
import type { SimulationConfig } from '../src/config';
import { SIMULATION, marketEvents } from './test-service';

export { positionState } from './position-state';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Outcomes are known this long after a horizon is over. */
export const SETTLED_MS = 11 * 60_000;

const WAIT = { timeoutMs: 30_000 };

export interface StoredForecast {
  position_id: string;
  horizon_days: number;
  slot: Date;
  made_at: Date;
  sequence: number;
  asset: string;
  band: string;
  health_factor: number;
  probability: number;
  model_version: string;
  outcome: string | null;
  outcome_reason: string | null;
}

/** Simulation with a clock that the test moves. */
export class TrackRecordFixture extends ServiceHarness<SimulationConfig> {
  nowMs = Date.parse('2026-11-21T12:00:00.000Z');
  private publisher!: EventPublisher;

  static async create(over: Partial<SimulationConfig> = {}): Promise<TrackRecordFixture> {
    const fixture = new TrackRecordFixture(SIMULATION, await createTestDatabase(), {
      KAFKA_PARTITIONS: 2,
      UPSTREAM_POSITIONS: 'http://127.0.0.1:1',
      SIMULATION_WORKERS: 1,
      SHUTDOWN_LAME_DUCK_MS: 0,
      TRACK_RECORD_ROUND_MS: 100,
      TRACK_RECORD_CACHE_MS: 0,
      ...over,
    });
    fixture.publisher = await fixture.startPublisher();
    await fixture.publisher.publish(...marketEvents(['ETH', 'USDC']));
    return fixture;
  }

  async publish(...states: PositionV1[]): Promise<void> {
    await this.publisher.publish(...states.map((state) => outgoing('position.v1', state)));
  }

  advance(ms: number): void {
    this.nowMs += ms;
  }

  forecasts(): Promise<StoredForecast[]> {
    return this.query<StoredForecast>('SELECT * FROM forecasts ORDER BY slot, position_id, horizon_days');
  }

  /** Waits until this many forecasts satisfy the condition. */
  async untilForecasts(count: number, is: (forecast: StoredForecast) => boolean = () => true): Promise<void> {
    await waitFor(async () => (await this.forecasts().catch(() => [])).filter(is).length === count, {
      ...WAIT,
      message: `${count} forecasts`,
    });
  }

  call<T>(app: NestFastifyApplication, path: string): Promise<ServiceResponse<T>> {
    return this.request<T>('GET', path, { as: { tier: 'open', scopes: [] } }, app);
  }

  trackRecord(app: NestFastifyApplication, query = ''): Promise<ServiceResponse<TrackRecord>> {
    return this.call<TrackRecord>(app, `/v1/risk/track-record${query}`);
  }

  protected override prepare(app: NestFastifyApplication): void {
    app.get(Clock).now = () => this.nowMs;
  }

  /** The group may need a while for a killed member; no test waits for that. */
  protected override consume(app: NestFastifyApplication): Promise<void> {
    void app.startAllMicroservices();
    return Promise.resolve();
  }
}
