import type { SeedPlan } from '@plimsoll/devnet';
import { workspaceRoot } from '@plimsoll/local-parts';
import { startOwnKafka, startOwnPostgres, startOwnRedis } from '@plimsoll/testing';
import { type Platform, startPlatform } from '../../test/platform/start-platform';
import { buildApps } from '../../tools/local-stack/services/build';
import { stackPaths } from '../../tools/local-stack/settings/stack-paths';

/**
 * Does `work` on a separate platform, and stops it: real Postgres, Redis, Kafka and EVM with these positions,
 * all services built. @param progress receives a line for each step
 */
export async function onPlatform<T>(
  plans: readonly SeedPlan[],
  progress: (line: string) => void,
  work: (platform: Platform) => Promise<T>,
): Promise<T> {
  progress('building the services');
  await buildApps(stackPaths(workspaceRoot()));
  progress('starting Postgres, Redis, Kafka');
  const parts = await Promise.all([startOwnPostgres('plimsoll'), startOwnRedis(), startOwnKafka()]);
  const [postgres, redis, kafka] = parts;
  try {
    progress('starting the chain and the services');
    const urls = { databaseUrl: postgres.url, redisUrl: redis.url, kafkaBrokers: kafka.url };
    const platform = await startPlatform(urls, { LOG_LEVEL: 'warn' }, { plans });
    try {
      return await work(platform);
    } finally {
      await platform.stop();
    }
  } finally {
    await Promise.all(parts.map((part) => part.dispose()));
  }
}
