import { findFreePort } from '@plimsoll/local-parts';
import { createDemoAccount } from '../gateway/demo-account';
import { startBuiltApp } from '../gateway/start-node';
import { type OurAccount, type OurParts, accountsFor, startOurs } from './our-contender';
import type { Contender } from './types';

/** High enough that no client is limited while it connects: the bench measures the pipe. */
const REQUESTS_PER_MINUTE = 100_000;

/**
 * Clients with API keys before the built gateway, which pipes them to ours. It measures the gateway's
 * process.
 * @param databaseUrl of a database for the gateway
 * @param logFolder receives the gateway's log
 */
export async function startThroughGateway(
  parts: OurParts,
  databaseUrl: string,
  logFolder: string,
  connections: number,
): Promise<Contender> {
  // Requests to them have no receiver here.
  const unused = `http://127.0.0.1:${await findFreePort()}`;
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: parts.redisUrl,
    KAFKA_BROKERS: parts.brokers.join(','),
    KAFKA_TOPIC_PREFIX: parts.topicPrefix,
    KAFKA_PARTITIONS: '2',
    IDENTITY_KEYS_FOLDER: parts.identityKeys,
    UPSTREAM_POSITIONS: unused,
    UPSTREAM_MARKET_DATA: unused,
    UPSTREAM_ALERTS: unused,
    UPSTREAM_WEBHOOK_DELIVERY: unused,
    UPSTREAM_SIMULATION: unused,
    UPSTREAM_WHALES: unused,
    UPSTREAM_AI: unused,
    UPSTREAM_EXECUTION: unused,
    UPSTREAM_STREAMS: unused,
    LOG_LEVEL: 'warn',
  };
  const accounts: OurAccount[] = [];
  for (let made = 0; made < accountsFor(connections); made += 1) {
    const { id, key } = await createDemoAccount(env, 'enterprise', REQUESTS_PER_MINUTE);
    accounts.push({ id, headers: { authorization: `Bearer ${key}` } });
  }
  const ours = await startOurs(parts, connections, false, accounts);
  const upstream = { UPSTREAM_STREAMS: `http://127.0.0.1:${ours.target.port}` };
  const port = await findFreePort();
  try {
    const gateway = await startBuiltApp('gateway', port, 'gateway', logFolder, { ...env, ...upstream });
    return {
      ...ours,
      pid: gateway.pid,
      target: { ...ours.target, port },
      end: async () => {
        await gateway.kill9();
        await ours.end();
      },
    };
  } catch (error) {
    await ours.end();
    throw error;
  }
}
