import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomUUID } from 'node:crypto';
import {
  type PositionV1,
  type ProblemBody,
  type TrackRecord,
  derivedId,
  positionId,
} from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
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
import { Pool } from 'pg';
import { SimulationConfig } from '../src/config';
import { createSimulation, marketEvents, originOf, testConfig } from './test-service';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Outcomes are known this long after a horizon is over. */
export const SETTLED_MS = 11 * 60_000;

const WAIT = { timeoutMs: 30_000 };
const WALLET = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const TOKEN = { WETH: `0x${'1'.repeat(40)}`, USDC: `0x${'2'.repeat(40)}` };

/** The state of a position in a test: 10 ETH of collateral and a debt in USDC. */
export interface PositionState {
  ethPriceUsd?: number;
  debtUsd?: number;
  /** Scaled collateral, whole tokens. */
  eth?: number;
  blockTimeMs: number;
  closed?: boolean;
}

/** A state of a position as position.v1 carries it. */
export function positionState(
  name: string,
  sequence: number,
  { ethPriceUsd = 3_000, debtUsd = 16_000, eth = 10, blockTimeMs, closed = false }: PositionState,
): PositionV1 {
  const key = { protocol: 'aave-v3', chainId: 1, market: 'AaveV3Local', subId: name, wallet: WALLET };
  const leg = (asset: 'WETH' | 'USDC', side: 'collateral' | 'debt', tokens: number, priceUsd: number) => {
    const raw = String(BigInt(Math.round(tokens * 1e6)) * 10n ** 12n);
    const amount = Number(raw) / 1e18;
    return {
      asset,
      address: TOKEN[asset],
      side,
      amountRaw: raw,
      scaledRaw: raw,
      decimals: 18,
      priceRaw: String(Math.round(priceUsd * 1e8)),
      priceDecimals: 8,
      oracle: TOKEN[asset],
      liquidationThresholdBps: side === 'collateral' ? 8_250 : 0,
      usedAsCollateral: side === 'collateral',
      amount,
      usdValue: amount * priceUsd,
      priceUsd,
    };
  };
  const healthFactor = debtUsd === 0 || closed ? null : (eth * ethPriceUsd * 0.825) / debtUsd;
  return {
    ...key,
    id: positionId(key),
    sequence,
    legs: closed
      ? []
      : [
          leg('WETH', 'collateral', eth, ethPriceUsd),
          ...(debtUsd > 0 ? [leg('USDC', 'debt', debtUsd, 1)] : []),
        ],
    healthFactor,
    healthFactorRaw:
      healthFactor === null ? null : String(BigInt(Math.round(healthFactor * 1e9)) * 10n ** 9n),
    previousHealthFactor: null,
    totalCollateralRaw: String(Math.round(eth * ethPriceUsd * 1e8)),
    totalDebtRaw: String(Math.round(debtUsd * 1e8)),
    baseDecimals: 8,
    totalCollateralUsd: closed ? 0 : eth * ethPriceUsd,
    totalDebtUsd: closed ? 0 : debtUsd,
    band: 'moderate',
    previousBand: null,
    block: 100 + sequence,
    blockHash: `0x${sequence.toString(16).padStart(64, '0')}`,
    blockTime: new Date(blockTimeMs).toISOString(),
    reason: 'health_factor',
    material: true,
    closed,
  };
}

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

/**
 * Simulation with its own database and topics, and a clock that the test moves. Instances can be stopped and
 * started.
 */
export class TrackRecordFixture {
  nowMs = Date.parse('2026-11-21T12:00:00.000Z');
  private readonly apps: NestFastifyApplication[] = [];
  private readonly accountId = derivedId('acc', randomUUID());

  private constructor(
    private readonly database: TestDatabase,
    private readonly publisher: EventPublisher,
    readonly config: SimulationConfig,
    readonly pool: Pool,
  ) {}

  static async create(over: Partial<SimulationConfig> = {}): Promise<TrackRecordFixture> {
    const database = await createTestDatabase();
    const log = testKafka();
    const publisher = await startPublisher(database.url, log);
    const config = testConfig(database, log, {
      KAFKA_PARTITIONS: 2,
      UPSTREAM_POSITIONS: 'http://127.0.0.1:1',
      SIMULATION_WORKERS: 1,
      SHUTDOWN_LAME_DUCK_MS: 0,
      TRACK_RECORD_ROUND_MS: 100,
      TRACK_RECORD_CACHE_MS: 0,
      ...over,
    });
    const pool = new Pool({ connectionString: database.url, max: 2, options: '-c search_path=simulation' });
    pool.on('error', () => undefined);
    await publisher.publish(...marketEvents(['ETH', 'USDC']));
    return new TrackRecordFixture(database, publisher, config, pool);
  }

  /** @param over of this instance alone */
  async start(over: Partial<SimulationConfig> = {}): Promise<NestFastifyApplication> {
    const config = Object.assign(new SimulationConfig(), this.config, over);
    const app = await createSimulation(config);
    app.get(Clock).now = () => this.nowMs;
    await app.listen(0, '127.0.0.1');
    void app.startAllMicroservices();
    this.apps.push(app);
    return app;
  }

  async stop(app: NestFastifyApplication): Promise<void> {
    this.apps.splice(this.apps.indexOf(app), 1);
    await app.close();
  }

  async close(): Promise<void> {
    while (this.apps[0]) await this.stop(this.apps[0]);
    await this.publisher.stop();
    await this.pool.end();
    await this.database.drop();
  }

  async publish(...states: PositionV1[]): Promise<void> {
    await this.publisher.publish(...states.map((state) => outgoing('position.v1', state)));
  }

  advance(ms: number): void {
    this.nowMs += ms;
  }

  async forecasts(): Promise<StoredForecast[]> {
    const { rows } = await this.pool.query<StoredForecast>(
      'SELECT * FROM forecasts ORDER BY slot, position_id, horizon_days',
    );
    return rows;
  }

  /** Waits until this many forecasts satisfy the condition. */
  async untilForecasts(count: number, is: (forecast: StoredForecast) => boolean = () => true): Promise<void> {
    await waitFor(async () => (await this.forecasts().catch(() => [])).filter(is).length === count, {
      ...WAIT,
      message: `${count} forecasts`,
    });
  }

  /** Fails for a response that the OpenAPI document does not describe. */
  async call<T>(
    app: NestFastifyApplication,
    path: string,
  ): Promise<{ status: number; headers: Headers; body: T & ProblemBody }> {
    const response = await fetch((await originOf(app)) + path, {
      headers: identityHeaders(this.config.IDENTITY_KEYS, this.accountId, { tier: 'open', scopes: [] }),
      signal: AbortSignal.timeout(20_000),
    });
    const { status, headers } = response;
    const result = { status, headers, body: (await response.json()) as T & ProblemBody };
    expectDocumented('GET', path, result);
    return result;
  }

  request(app: NestFastifyApplication, query = '') {
    return this.call<TrackRecord>(app, `/v1/risk/track-record${query}`);
  }
}
