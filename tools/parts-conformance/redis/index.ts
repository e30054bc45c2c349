import { startEmbeddedRedis, startRedis } from '@plimsoll/local-parts';
import Redis from 'ioredis';
import type { Check, Suite } from '../check';
import { startPart } from '../start-part';
import type { RedisCheck } from './check';
import { CLIENT_CHECKS } from './clients.checks';
import { HASH_CHECKS } from './hashes.checks';
import { KEY_CHECKS } from './keys.checks';
import { SCRIPT_CHECKS } from './scripts.checks';
import { SORTED_SET_CHECKS } from './sorted-sets.checks';
import { STRING_CHECKS } from './strings.checks';

const REDIS_CHECKS = [
  ...STRING_CHECKS,
  ...HASH_CHECKS,
  ...SORTED_SET_CHECKS,
  ...KEY_CHECKS,
  ...SCRIPT_CHECKS,
  ...CLIENT_CHECKS,
] as const;

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
