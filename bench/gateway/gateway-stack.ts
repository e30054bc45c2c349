import type { Tier } from '@plimsoll/contracts';
import { findFreePort, workspaceRoot, type RunningPart } from '@plimsoll/local-parts';
import {
  createTestFolder,
  startOwnKafka,
  startOwnPostgres,
  startOwnRedis,
  testIdentityKeys,
  type OwnPart,
} from '@plimsoll/testing';
import { buildApps } from '../../tools/local-stack/services/build';
import { stackPaths } from '../../tools/local-stack/settings/stack-paths';
import { type DemoAccount, createDemoAccount } from './demo-account';
import { type RunningApp, startBuiltApp, startNode } from './start-node';

/** Standard output contains only the result. */
export const progress = (line: string): void => console.error(line);

/**
 * Built gateways with their own real Postgres, Redis and Kafka, before one upstream that handles every
 * request.
 */
export interface GatewayStack {
  folder: string;
  upstream: RunningPart;
  /** Replaced by a test that kills it and starts it again. */
  redis: OwnPart;
  /** The settings that services need for the parts. */
  environment: Readonly<Record<string, string>>;
  /** Starts one more gateway process. @param more variables that differ from the others’ */
  startGateway(more?: Record<string, string>): Promise<RunningApp>;
  createAccount(tier: Tier, perMinute?: number): Promise<DemoAccount>;
  stop(): Promise<void>;
}

/** @param instances the configured number of processes of every gateway */
export async function startGatewayStack(instances: number): Promise<GatewayStack> {
  progress('building the services');
  await buildApps(stackPaths(workspaceRoot()));
  progress('starting Postgres, Redis, Kafka');
  const folder = await createTestFolder();
  const [postgres, redis, kafka, upstream] = await Promise.all([
    startOwnPostgres('plimsoll'),
    startOwnRedis(),
    startOwnKafka(),
    startNode('upstream', 'upstream.ts', folder.path),
  ]);
  const started: RunningPart[] = [];
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    KAFKA_BROKERS: kafka.url,
    IDENTITY_KEYS_FOLDER: testIdentityKeys(),
    UPSTREAM_POSITIONS: upstream.url,
    UPSTREAM_MARKET_DATA: upstream.url,
    UPSTREAM_ALERTS: upstream.url,
    UPSTREAM_WEBHOOK_DELIVERY: upstream.url,
    UPSTREAM_STREAMS: upstream.url,
    UPSTREAM_SIMULATION: upstream.url,
    UPSTREAM_WHALES: upstream.url,
    UPSTREAM_AI: upstream.url,
    UPSTREAM_EXECUTION: upstream.url,
    GATEWAY_INSTANCES: String(instances),
  };
  const stack: GatewayStack = {
    folder: folder.path,
    upstream,
    redis,
    environment: env,
    startGateway: async (more = {}) => {
      const name = `gateway-${started.length}`;
      const gateway = await startBuiltApp(name, await findFreePort(), 'gateway', folder.path, {
        ...env,
        ...more,
      });
      started.push(gateway);
      return gateway;
    },
    createAccount: (tier, perMinute) => createDemoAccount(env, tier, perMinute),
    stop: async () => {
      await Promise.all(started.map((gateway) => gateway.stop()));
      await Promise.all([postgres.dispose(), stack.redis.dispose(), kafka.dispose(), upstream.kill9()]);
      await folder.remove();
    },
  };
  return stack;
}
