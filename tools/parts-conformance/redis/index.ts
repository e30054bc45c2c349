import {
  type RunningPart,
  findFreePort,
  startRedis,
  startServer,
  workspaceRoot,
} from '@plimsoll/local-parts';
import Redis from 'ioredis';
import path from 'node:path';
import type { Check, Suite } from '../check';
import { startPart } from '../start-part';
import type { RedisCheck } from './check';
import { REDIS_CHECKS } from './checks';

/** A command of a check that takes longer has failed. */
const COMMAND_MS = 10_000;

export const redisSuite: Suite = {
  part: 'redis',
  checks: REDIS_CHECKS.map(asCheck),
  startEmbedded: (folder) => startPart((port) => startEmbedded(folder, port)),
  startGenuine: (folder) =>
    startPart((port) => startRedis({ dataDir: folder, logFile: `${folder}.log`, port })),
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

async function startEmbedded(folder: string, wanted: number | undefined): Promise<RunningPart> {
  const port = wanted ?? (await findFreePort());
  return startServer({
    name: 'local-redis',
    url: `redis://127.0.0.1:${port}`,
    port,
    file: process.execPath,
    args: [path.join(workspaceRoot(), 'libs/local-redis/bin.cjs'), '--dir', folder, '--port', String(port)],
    logFile: `${folder}.log`,
    isReady: () => responds(port),
  });
}

async function responds(port: number): Promise<boolean> {
  const client = new Redis({ port, lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}
