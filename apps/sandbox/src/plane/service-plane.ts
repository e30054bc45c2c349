import { hkdfSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SERVICES, type Service, audiencesOf, createKeys } from '@plimsoll/access';
import { CALL_HEADER, IDENTITY_HEADER, type Identity } from '@plimsoll/contracts';
import { registryOverlay } from '@plimsoll/devnet';
import {
  ONE_PROCESS_FILE,
  type RunningPart,
  findFreePort,
  separateEnvironment,
  startServer,
} from '@plimsoll/local-parts';
import { KafkaConfig, ServiceConfig, ServiceIdentity } from '@plimsoll/service-kit';
import type { SandboxConfig } from '../config';
import { TEST_CHAIN_ID, type TestChain } from '../market/test-chain';

/** The services of a test market. The others have no test mode. */
export const TEST_SERVICES = [
  'positions',
  'market-data',
  'simulation',
  'whales',
  'alerts',
  'webhook-delivery',
  'streams',
] as const satisfies readonly Service[];
export type TestService = (typeof TEST_SERVICES)[number];

const READY_TIMEOUT_MS = 120_000;
const READY_CALL_MS = 2_000;
const HEAP_MB = 512;
/** The clock of a test market does not run between actions, so the age of a price means nothing. */
const HEARTBEAT_MS = 315_360_000_000;
const DAY_MINUTES = 1_440;
const NO_SERVICE = 'http://127.0.0.1:9';

/** Where the services of a test market keep their data. The folder is empty at the start. */
export interface PlanePlace {
  accountId: string;
  folder: string;
  databaseUrl: string;
  topicPrefix: string;
}

/** Signs identities for the services of one market with keys of its own, which no live service knows. */
class PlaneConfig extends ServiceConfig {
  static override readonly service = 'gateway';
}

/** The services of one test market, in one process. */
export class ServicePlane {
  private constructor(
    private readonly process: RunningPart,
    private readonly ports: ReadonlyMap<TestService, number>,
    private readonly signer: ServiceIdentity,
  ) {}

  /** @throws PartError when the services are not ready in time */
  static async start(config: SandboxConfig, place: PlanePlace, chain: TestChain): Promise<ServicePlane> {
    const { folder } = place;
    const keys = path.join(folder, 'identity');
    createKeys(keys, SERVICES, Date.now());
    const overlay = path.join(folder, 'registry.json');
    await writeFile(overlay, JSON.stringify(withoutHeartbeats(registryOverlay(chain.addresses))));

    const ports = new Map<TestService, number>();
    const operations: number[] = [];
    const services = [];
    for (const name of TEST_SERVICES) ports.set(name, await findFreePort());
    for (const name of TEST_SERVICES) {
      const operationsPort = await findFreePort();
      operations.push(operationsPort);
      const file = path.join(config.SERVICES_FOLDER, name, 'main.js');
      if (!existsSync(file)) throw new Error(`${file} is missing: set SERVICES_FOLDER to the built services`);
      const env = { ...environmentOf(name, config, place, ports), OPERATIONS_PORT: String(operationsPort) };
      services.push({ file, env });
    }
    const [port = 0] = ports.values();
    const started = await startServer({
      name: `services of ${place.accountId}`,
      url: `http://127.0.0.1:${port}`,
      port,
      file: process.execPath,
      args: [`--max-old-space-size=${HEAP_MB}`, '--max-semi-space-size=4', ONE_PROCESS_FILE],
      env: separateEnvironment({
        MALLOC_ARENA_MAX: '1',
        NODE_COMPILE_CACHE: path.join(config.SANDBOX_FOLDER, 'compiled'),
        ...commonEnvironment(config, place, keys, overlay, chain.url),
      }),
      input: Promise.resolve(JSON.stringify(services)),
      logFile: path.join(folder, 'services.log'),
      isReady: async () => (await Promise.all(operations.map(isReady))).every(Boolean),
      readyTimeoutMs: READY_TIMEOUT_MS,
    });
    const signer = new ServiceIdentity(Object.assign(new PlaneConfig(), { IDENTITY_KEYS_FOLDER: keys }));
    return new ServicePlane(started, ports, signer);
  }

  get exited(): Promise<unknown> {
    return this.process.exited;
  }

  portOf(service: TestService): number {
    return this.ports.get(service)!;
  }

  /** The identity headers of one request to a service. @param path with its query */
  headersFor(
    service: TestService,
    method: string,
    path: string,
    { accountId, keyId, tier, scopes, limits }: Omit<Identity, 'requestId' | 'issuedAt'>,
  ): Record<string, string> {
    const nowMs = Date.now();
    const audiences = audiencesOf(service);
    const identity = this.signer.sign({ accountId, keyId, tier, scopes, limits, audiences }, nowMs);
    return {
      [IDENTITY_HEADER]: identity,
      [CALL_HEADER]: this.signer.prove(service, method, path, identity, nowMs),
    };
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}

function withoutHeartbeats(overlay: ReturnType<typeof registryOverlay>): object {
  const priceFeeds = overlay.priceFeeds.map((chain) => ({
    ...chain,
    feeds: chain.feeds.map((feed) => ({ ...feed, heartbeatMs: HEARTBEAT_MS })),
  }));
  return { ...overlay, priceFeeds };
}

/** Variables of every service of the market. Those of live services are not passed on. */
function commonEnvironment(
  config: SandboxConfig,
  { databaseUrl, topicPrefix, accountId }: PlanePlace,
  keys: string,
  overlay: string,
  rpcUrl: string,
): Record<string, string> {
  const ofKafka = Object.keys(new KafkaConfig()).filter((name) => name.startsWith('KAFKA_'));
  const kafka = ofKafka.map((name) => [name, String(config[name as keyof SandboxConfig])]);
  return {
    ...(Object.fromEntries(kafka) as Record<string, string>),
    TEST_MODE: 'true',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    UPGRADE_URL: config.UPGRADE_URL,
    SHUTDOWN_LAME_DUCK_MS: '0',
    SHUTDOWN_DEADLINE_MS: '5000',
    KAFKA_TOPIC_PREFIX: topicPrefix,
    KAFKA_PARTITIONS: '1',
    DATABASE_URL: databaseUrl,
    IDENTITY_KEYS_FOLDER: keys,
    REDIS_URL: config.REDIS_URL,
    REDIS_KEY_PREFIX: `plimsoll-test:${accountId}:`,
    REGISTRY_OVERLAY: overlay,
    [`RPC_URL_${TEST_CHAIN_ID}`]: rpcUrl,
    [`RPC_WS_URL_${TEST_CHAIN_ID}`]: rpcUrl.replace(/^http/, 'ws'),
  };
}

function environmentOf(
  name: TestService,
  config: SandboxConfig,
  { accountId }: PlanePlace,
  ports: ReadonlyMap<TestService, number>,
): Record<string, string> {
  const secret = Buffer.from(config.SANDBOX_SECRET, 'base64');
  const keyOf = (purpose: string): string => {
    const key = hkdfSync('sha256', secret, '', `plimsoll test ${purpose} ${accountId}`, 32);
    return `test:${Buffer.from(key).toString('base64')}`;
  };
  const at = (service: TestService): string => `http://127.0.0.1:${ports.get(service)}`;
  const own: Record<TestService, Record<string, string>> = {
    positions: { RECEIPT_SECRET_KEYS: keyOf('receipts') },
    'market-data': { HISTORY_LOOK_MS: '2000', INDEX_INTERVAL_MS: '5000' },
    simulation: { UPSTREAM_POSITIONS: at('positions'), SIMULATION_WORKERS: '1' },
    whales: { UPSTREAM_POSITIONS: at('positions'), WHALE_THRESHOLD_USD: '250000' },
    alerts: {
      UPSTREAM_POSITIONS: at('positions'),
      UPSTREAM_WEBHOOK_DELIVERY: at('webhook-delivery'),
      UPSTREAM_SIMULATION: at('simulation'),
      UPSTREAM_EXECUTION: NO_SERVICE,
      WHALE_ALERT_MINUTES: String(DAY_MINUTES),
    },
    'webhook-delivery': {
      WEBHOOK_SECRET_KEYS: keyOf('webhooks'),
      WEBHOOK_ALLOW_CIDRS: config.WEBHOOK_ALLOW_CIDRS,
      WEBHOOK_ALLOW_HTTP: String(config.WEBHOOK_ALLOW_HTTP),
      PUBLIC_URL: config.PUBLIC_URL,
    },
    streams: { UPSTREAM_POSITIONS: at('positions') },
  };
  return { ...own[name], LOG_NAME: name, PORT: String(ports.get(name)) };
}

async function isReady(operationsPort: number): Promise<boolean> {
  const signal = AbortSignal.timeout(READY_CALL_MS);
  return (await fetch(`http://127.0.0.1:${operationsPort}/health/ready`, { signal })).ok;
}
