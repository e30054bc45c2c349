import { startEmbeddedRedis, startRedis } from '@plimsoll/local-parts';
import Redis from 'ioredis';
import type { Check, Suite } from '../check';
import { startPart } from '../start-part';
import type { RedisCheck } from './check';
import { REDIS_CHECKS } from './checks';

/** The time limit of a check's command. */
const COMMAND_MS = 10_000;

export const redisSuite: Suite = {
  part: 'redis',
  checks: REDIS_CHECKS.map(asCheck),
  startEmbedded: (folder) => startPart(folder, startEmbeddedRedis),
  startGenuine: (folder) => startPart(folder, startRedis),
};

/** Runs a check on an empty database. */
function asCheck({ name, run }: RedisCheck): Check {
  return {
    name,
    run: async ({ address, defer }) => {
      const newClient = (): Redis => {
        const client = new Redis(address, { maxRetriesPerRequest: 1, commandTimeout: COMMAND_MS });
        client.on('error', () => undefined);
        defer(() => client.disconnect());
        return client;
      };
      const client = newClient();
      await client.flushall();
      return run({ client, newClient });
    },
  };
}
