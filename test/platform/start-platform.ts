import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { generateApiKey } from '@plimsoll/access';
import type { Tier } from '@plimsoll/contracts';
import {
  connectAnvil,
  deployDevnet,
  deployVenue,
  registryOverlay,
  seedPositions,
  type DevnetAddresses,
  type SeedPlan,
  type SeededWallet,
} from '@plimsoll/devnet';
import { deployExecutor, type ExecutorAddresses } from '@plimsoll/devnet-executor';
import { findFreePort, workspaceRoot } from '@plimsoll/local-parts';
import { numberToHex, parseEther } from 'viem';
import {
  createTestDatabase,
  createTestFolder,
  startOwnEvm,
  startOwnKafka,
  testIdentityKeys,
  testRedis,
  type OwnPart,
} from '@plimsoll/testing';
import { KEEPER_ADDRESS, KEEPER_PASSWORD, ensureKeeperFile } from '../../tools/local-stack/parts/executors';
import { startControlServer } from '../../tools/local-stack/market/control-server';
import { LocalMarket } from '../../tools/local-stack/market/market';
import type { ServiceContext, ServiceName } from '../../tools/local-stack/services/service-environment';
import { serviceCommand } from '../../tools/local-stack/services/services';
import type { ServiceBuilds } from './service-builds';
import type { ServiceImages } from './service-images';
import { startService, type ServiceProcess } from './service-process';

const execFileAsync = promisify(execFile);

/** All but the sandbox. */
export const SERVICES: readonly ServiceName[] = [
  'gateway',
  'positions',
  'market-data',
  'simulation',
  'whales',
  'ai',
  'execution',
  'alerts',
  'webhook-delivery',
  'streams',
];
const CHAIN_ID = 1;
/** Neither prices nor whales move by themselves. */
const MARKET = { seed: 1, whaleActMs: 0 };
const KEEPER_BALANCE = numberToHex(parseEther('1000'));

/** Real parts that a platform runs on. */
export interface PlatformParts {
  databaseUrl: string;
  redisUrl: string;
  kafkaBrokers: string;
}

/** The built services over a separate chain, with the seeded market and without its simulation. */
export interface Platform {
  /** Ends with /v1. */
  baseUrl: string;
  streamsUrl: string;
  rpcUrl: string;
  /** With a schema for each service. */
  databaseUrl: string;
  devnet: DevnetAddresses;
  executors: ExecutorAddresses;
  wallets: SeededWallet[];
  services: Record<ServiceName, ServiceProcess>;
  chain: OwnPart;
  /** The control port of `hasMarket`. */
  control: { url: string; token: string } | undefined;
  /** Creates an account of a tier and returns a key with all scopes. */
  createKey(tier: Tier, requestsPerMinute?: number): Promise<string>;
  /** Creates an enterprise account. Returns a live and a test key of it with all scopes. */
  createBothKeys(): Promise<{ live: string; test: string }>;
  /** Runs the admin command line. */
  admin(...words: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** The parts of a platform that differ from those of most tests. */
export interface PlatformOptions {
  /** Plans of the seed. Default: the positions of the demo. */
  plans?: readonly SeedPlan[] | undefined;
  /** Whether it serves test keys. */
  hasSandbox?: boolean;
  /** Whether the portal and the platform can move prices, as with `npm start`. They do not move by themselves. */
  hasMarket?: boolean;
  /** Runs the services from there, in place of the builds. */
  images?: ServiceImages;
  /** Gives each service its version. */
  builds?: ServiceBuilds | undefined;
}

/**
 * Starts a platform. The apps must be built (`npm test` and `npm run bench` do that first).
 * @param env variables of every service beside those of the stack
 */
export async function startPlatform(
  parts: PlatformParts,
  env: Record<string, string> = {},
  { plans, hasSandbox = false, hasMarket = false, images, builds }: PlatformOptions = {},
): Promise<Platform> {
  const names: readonly ServiceName[] = hasSandbox ? [...SERVICES, 'sandbox'] : SERVICES;
  const folder = await createTestFolder();
  const chain = await startOwnEvm({ chainId: CHAIN_ID, blockTimeSeconds: 1 });
  const devnet = await deployDevnet({ rpcUrl: chain.url, chainId: CHAIN_ID });
  const wallets = await seedPositions(chain.url, devnet, plans);
  const data = images?.data ?? folder.path;
  const overlay = path.join(data, 'registry.json');
  await mkdir(data, { recursive: true });
  const venue = await deployVenue(chain.url, devnet);
  const executors = await deployExecutor(chain.url, devnet, [KEEPER_ADDRESS]);
  await connectAnvil(chain.url).request('anvil_setBalance', [KEEPER_ADDRESS, KEEPER_BALANCE]);
  await writeFile(overlay, JSON.stringify(registryOverlay(devnet, { venue, executors })));
  const keeper = { file: path.join(data, 'keeper.json'), password: KEEPER_PASSWORD };
  await ensureKeeperFile(keeper.file);

  const market = hasMarket
    ? new LocalMarket([{ chainId: CHAIN_ID, rpcUrl: chain.url, addresses: devnet }], MARKET, () => undefined)
    : undefined;
  const control = market && (await startControlServer(market));

  const secret = (): string => `test:${randomBytes(32).toString('base64')}`;
  const context: ServiceContext = {
    ...parts,
    rpcUrls: new Map([[CHAIN_ID, chain.url]]),
    registryOverlay: overlay,
    keeper,
    ...(control && { localMarket: control }),
    ports: new Map(await Promise.all(names.map(async (name) => [name, await findFreePort()] as const))),
    secrets: {
      identityKeys: images ? testIdentityKeys(path.join(data, 'identity')) : testIdentityKeys(),
      webhookSecretKeys: secret(),
      receiptSecretKeys: secret(),
      sandboxSecret: randomBytes(32).toString('base64'),
    },
    sandbox: {
      data: path.join(data, 'sandbox'),
      services: path.join(workspaceRoot(), 'dist/apps'),
    },
  };
  images?.giveData();
  const start = (name: ServiceName) => startService(name, context, folder.path, env, { images, builds });
  const started = await startServices(names.map(start)).catch(async (error: unknown) => {
    control?.close();
    await chain.dispose();
    await folder.remove();
    throw error;
  });
  const services = Object.fromEntries(
    started.map((service) => [service.name, service]),
  ) as Platform['services'];
  const origin = new URL(services.gateway.url);
  const run = async (...words: string[]): Promise<string> => {
    const file = path.join(builds?.folderOf('gateway') ?? workspaceRoot(), 'dist/apps/gateway/admin.js');
    const { stdout } = await execFileAsync(process.execPath, [file, ...words], {
      env: { ...serviceCommand('gateway', 0, context).env, ...env },
      timeout: 30_000,
    });
    return stdout;
  };
  const admin = async (...words: string[]): Promise<void> => void (await run(...words));
  const createKey = async (accountId: string, ...words: string[]): Promise<string> =>
    (JSON.parse(await run('keys', 'create', '--account', accountId, ...words)) as { key: { key: string } })
      .key.key;
  return {
    baseUrl: `${origin.origin}/v1`,
    streamsUrl: `ws://${origin.host}/v1/streams`,
    rpcUrl: chain.url,
    databaseUrl: parts.databaseUrl,
    devnet,
    executors,
    wallets,
    services,
    chain,
    control,
    createKey: async (tier, requestsPerMinute) => {
      const key = generateApiKey('demo', randomBytes);
      const email = `${randomBytes(6).toString('hex')}@plimsoll.test`;
      const limit = requestsPerMinute === undefined ? [] : ['--per-minute', String(requestsPerMinute)];
      await admin('ensure-demo', '--tier', tier, '--email', email, '--key', key, ...limit);
      return key;
    },
    createBothKeys: async () => {
      const email = `${randomBytes(6).toString('hex')}@plimsoll.test`;
      const made = await run('accounts', 'create', '--email', email, '--tier', 'enterprise');
      const { id } = (JSON.parse(made) as { account: { id: string } }).account;
      return { live: await createKey(id), test: await createKey(id, '--test-tier', 'enterprise') };
    },
    admin,
    stop: async () => {
      control?.close();
      await market?.stop();
      await Promise.all(started.map((service) => service.stop()));
      await chain.dispose();
      await folder.remove();
    },
  };
}

/** Waits for every service. When one fails, those that run are stopped first, because they would outlive the test. */
async function startServices(starting: readonly Promise<ServiceProcess>[]): Promise<ServiceProcess[]> {
  const results = await Promise.allSettled(starting);
  const started = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = results.find((each) => each.status === 'rejected');
  if (!failed) return started;
  await Promise.all(started.map((service) => service.stop()));
  throw failed.reason;
}

/** Starts a platform with parts of its own, which end with it. */
export async function startOwnPlatform(
  env: Record<string, string> = {},
  options: PlatformOptions = {},
): Promise<Platform> {
  const [kafka, database] = await Promise.all([startOwnKafka(), createTestDatabase()]);
  const redis = testRedis();
  const endParts = async (): Promise<void> => {
    await kafka.dispose();
    await database.drop();
  };
  const parts = { databaseUrl: database.url, redisUrl: redis.url, kafkaBrokers: kafka.url };
  try {
    const platform = await startPlatform(parts, { REDIS_KEY_PREFIX: redis.keyPrefix, ...env }, options);
    const stop = async (): Promise<void> => {
      await platform.stop();
      await endParts();
    };
    return { ...platform, stop };
  } catch (error) {
    await endParts();
    throw error;
  }
}
