import { isDeepStrictEqual } from 'node:util';
import Redis from 'ioredis';
import type { RedisCheck } from './check';
import { REDIS_CHECKS } from './checks';

export interface ComparedCheck {
  name: string;
  isSame: boolean;
  embedded: unknown;
  genuine: unknown;
}

/** Runs every check against both, each time on an empty database. It deletes all keys of both. */
export async function compareRedis(
  embeddedUrl: string,
  genuineUrl: string,
  onProgress: (line: string) => void = () => undefined,
): Promise<ComparedCheck[]> {
  const results: ComparedCheck[] = [];
  for (const [index, check] of REDIS_CHECKS.entries()) {
    const [embedded, genuine] = [await observe(embeddedUrl, check), await observe(genuineUrl, check)];
    results.push({ name: check.name, isSame: isDeepStrictEqual(embedded, genuine), embedded, genuine });
    if ((index + 1) % 20 === 0) onProgress(`${index + 1} of ${REDIS_CHECKS.length} Redis checks`);
  }
  return results;
}

async function observe(url: string, check: RedisCheck): Promise<unknown> {
  const clients: Redis[] = [];
  const newClient = (): Redis => {
    const client = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: 10_000 });
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  };
  try {
    const client = newClient();
    await client.flushall();
    return await check.run({ client, newClient });
  } catch (error) {
    return { failed: (error as Error).message };
  } finally {
    for (const client of clients) client.disconnect();
  }
}
