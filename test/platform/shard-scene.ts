import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type PositionV1, newId } from '@plimsoll/contracts';
import {
  type DevnetAddresses,
  type SeedPlan,
  deployDevnet,
  registryOverlay,
  seedPositions,
  setPrice,
} from '@plimsoll/devnet';
import type { ReceivedEvent } from '@plimsoll/event-bus';
import { findFreePort } from '@plimsoll/local-parts';
import {
  type TestDatabase,
  collectEvents,
  createTestFolder,
  identityHeaders,
  startOwnEvm,
  testIdentityKeys,
  waitFor,
} from '@plimsoll/testing';
import { type ServiceProcess, startService } from './service-process';

const CHAIN_ID = 1;
/** Wallets that are watched at the same time. */
const CONCURRENT_WATCHES = 16;

/** Positions that every price of ETH changes, each in a separate wallet. */
const plans = (count: number): SeedPlan[] =>
  Array.from({ length: count }, (_, index) => ({
    label: `shared wallet ${index}`,
    suppliedUsd: 10_000,
    supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
    borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
    healthFactor: 1.6 + (index % 100) / 100,
    eMode: false,
  }));

/** Two processes of positions that share the wallets of one chain. */
export interface ShardScene {
  instances: ServiceProcess[];
  /** In lower case. */
  wallets: string[];
  events: ReceivedEvent<PositionV1>[];
  /** @returns the block of the price */
  setEther(usd: number): Promise<number>;
  /** Wallets that a process follows, by its metrics. */
  followedBy(instance: ServiceProcess): Promise<number>;
  /** Waits until every wallet has an event from this block or a later one. */
  untilAllNotified(block: number, timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the scene, with all wallets watched and published. The app must be built.
 * @param log the Kafka with the topics
 */
export async function startShardScene(
  database: Pick<TestDatabase, 'url'>,
  log: { brokers: string[]; topicPrefix: string },
  walletCount: number,
): Promise<ShardScene> {
  const folder = await createTestFolder();
  const chain = await startOwnEvm({ chainId: CHAIN_ID, blockTimeSeconds: 1 });
  const devnet: DevnetAddresses = await deployDevnet({ rpcUrl: chain.url, chainId: CHAIN_ID });
  const seeded = await seedPositions(chain.url, devnet, plans(walletCount));
  const wallets = seeded.map(({ address }) => address.toLowerCase());
  const overlay = path.join(folder.path, 'registry.json');
  await writeFile(overlay, JSON.stringify(registryOverlay(devnet)));
  const identityKeys = testIdentityKeys();
  const collector = await collectEvents(log, 'position.v1');
  const startInstance = async (name: string): Promise<ServiceProcess> => {
    const context = {
      databaseUrl: database.url,
      redisUrl: '',
      kafkaBrokers: log.brokers.join(','),
      rpcUrls: new Map([[CHAIN_ID, chain.url]]),
      registryOverlay: overlay,
      ports: new Map([['positions' as const, await findFreePort()]]),
      secrets: { identityKeys, webhookSecretKeys: '' },
    };
    const logs = path.join(folder.path, name);
    return startService('positions', context, logs, { KAFKA_TOPIC_PREFIX: log.topicPrefix });
  };
  const instances = [await startInstance('a'), await startInstance('b')];
  const lastBlocks = (): Map<string, number> =>
    new Map(collector.events.flatMap(({ value }) => (value ? [[value.wallet, value.block] as const] : [])));
  const scene: ShardScene = {
    instances,
    wallets,
    events: collector.events,
    setEther: async (usd) => Number((await setPrice(chain.url, devnet, 'ETH', usd)).blockNumber),
    followedBy: async ({ operationsUrl }) => {
      const text = await (
        await fetch(`${operationsUrl}/metrics`, { signal: AbortSignal.timeout(5_000) })
      ).text();
      return Number(/^positions_tracked_wallets (\d+)/m.exec(text)?.[1]);
    },
    untilAllNotified: async (block, timeoutMs) => {
      await waitFor(
        () => {
          const last = lastBlocks();
          return wallets.every((wallet) => (last.get(wallet) ?? -1) >= block);
        },
        { timeoutMs, intervalMs: 20, message: `every wallet is told of at block ${block}` },
      );
    },
    stop: async () => {
      await Promise.all(instances.map((instance) => instance.stop()));
      await collector.stop();
      await chain.dispose();
      await folder.remove();
    },
  };
  await watchAll(instances, wallets, identityKeys);
  await scene.untilAllNotified(0, 60_000);
  return scene;
}

/** Each request is sent to one of the processes, as behind a load balancer. */
async function watchAll(
  instances: readonly ServiceProcess[],
  wallets: readonly string[],
  identityKeys: string,
): Promise<void> {
  const accountId = newId('acc');
  const limits = { wallets: null, webhooks: null };
  const watch = async (address: string, index: number): Promise<void> => {
    const { url } = instances[index % instances.length]!;
    const request = { service: 'positions', method: 'POST', path: '/v1/wallets' };
    const response = await fetch(`${url}${request.path}`, {
      method: request.method,
      headers: {
        ...identityHeaders(identityKeys, request, accountId, { tier: 'enterprise', limits }),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ address }),
      signal: AbortSignal.timeout(20_000),
    });
    if (response.status !== 201) throw new Error(`${address} is not watched: ${await response.text()}`);
  };
  for (let from = 0; from < wallets.length; from += CONCURRENT_WATCHES)
    await Promise.all(wallets.slice(from, from + CONCURRENT_WATCHES).map(watch));
}
