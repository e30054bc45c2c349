import type { Secrets } from '../settings/secrets';

export type ServiceName =
  | 'gateway'
  | 'positions'
  | 'market-data'
  | 'simulation'
  | 'whales'
  | 'ai'
  | 'execution'
  | 'alerts'
  | 'webhook-delivery'
  | 'streams'
  | 'sandbox';

/** The settings of the stack that services need. */
export interface ServiceContext {
  databaseUrl: string;
  redisUrl: string;
  kafkaBrokers: string;
  /** HTTP address of each chain's node, by chain id. */
  rpcUrls: ReadonlyMap<number, string>;
  registryOverlay: string;
  /** Ports of every running service, the gateway included. */
  ports: ReadonlyMap<ServiceName, number>;
  /** Ports of their metrics and readiness. Without one, a service takes a free port. */
  operationsPorts?: ReadonlyMap<ServiceName, number>;
  /** The key that triggers the executor contracts. No execution is submitted without it. */
  keeper?: { file: string; password: string };
  /** Keeps mails for /portal/mail. Without it, no mails are sent. */
  localMails?: boolean;
  /** The control port of the local market, for /portal/local-market. */
  localMarket?: { url: string; token: string };
  secrets: Pick<Secrets, 'identityKeys' | 'webhookSecretKeys'> &
    Partial<Pick<Secrets, 'receiptSecretKeys' | 'sandboxSecret'>>;
  /** The folders of the sandbox. Absent: it does not run. */
  sandbox?: { data: string; services: string };
}

/** The variables of one service, those common to all services first. */
export function serviceEnvironment(
  name: ServiceName,
  port: number,
  context: ServiceContext,
): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    LOG_NAME: name,
    PORT: String(port),
    OPERATIONS_PORT: String(context.operationsPorts?.get(name) ?? 0),
    DATABASE_URL: context.databaseUrl,
    KAFKA_BROKERS: context.kafkaBrokers,
    // One machine needs no distribution, and each partition is a separate transaction for every consumer.
    KAFKA_PARTITIONS: '2',
    // With the default, each of a dozen consumers sends two requests a second while there are no events.
    KAFKA_FETCH_WAIT_MS: '2000',
    IDENTITY_KEYS_FOLDER: context.secrets.identityKeys,
    ...OWN_VARIABLES[name](context),
  };
}

const OWN_VARIABLES: Record<ServiceName, (context: ServiceContext) => Record<string, string>> = {
  gateway: ({ redisUrl, ports, localMails, localMarket }) => ({
    REDIS_URL: redisUrl,
    ...publicUrl(ports),
    ...(localMails && { LOCAL_MAILS: 'true' }),
    ...(localMarket && { LOCAL_MARKET_URL: localMarket.url, LOCAL_MARKET_TOKEN: localMarket.token }),
    // Programs on this machine may set the client address: a proxy, or a test that simulates many clients.
    TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
    ...upstreams(ports),
  }),
  positions: ({ rpcUrls, registryOverlay, secrets }) => ({
    RECEIPT_SECRET_KEYS: secrets.receiptSecretKeys ?? '',
    REGISTRY_OVERLAY: registryOverlay,
    ...nodes(rpcUrls),
  }),
  'market-data': ({ rpcUrls, registryOverlay }) => ({
    REGISTRY_OVERLAY: registryOverlay,
    // Users look at a demo from its first seconds on.
    HISTORY_LOOK_MS: '5000',
    INDEX_INTERVAL_MS: '10000',
    ...Object.fromEntries([...rpcUrls].map(([chainId, url]) => [`RPC_URL_${chainId}`, url])),
  }),
  alerts: ({ ports }) => upstreams(ports, ['positions', 'webhook-delivery', 'simulation', 'execution']),
  'webhook-delivery': ({ secrets, ports }) => ({
    ...publicUrl(ports),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_ALLOW_HTTP: 'true',
    // Its own new deliveries wake the only instance. It polls for retries alone.
    DELIVERY_POLL_MS: '1000',
    WEBHOOK_SECRET_KEYS: secrets.webhookSecretKeys,
  }),
  streams: ({ redisUrl, ports }) => ({ REDIS_URL: redisUrl, ...upstreams(ports, ['positions']) }),
  simulation: ({ ports }) => upstreams(ports, ['positions']),
  whales: ({ rpcUrls, registryOverlay, ports }) => ({
    REGISTRY_OVERLAY: registryOverlay,
    // The thresholds for whales are lower than in production, because the wallets of the local market hold
    // less.
    WHALE_THRESHOLD_USD: '250000',
    ...nodes(rpcUrls),
    ...upstreams(ports, ['positions']),
  }),
  execution: ({ rpcUrls, registryOverlay, ports, keeper }) => ({
    REGISTRY_OVERLAY: registryOverlay,
    ...(keeper && { KEYSTORE_FILE: keeper.file, KEYSTORE_PASSWORD: keeper.password }),
    // A block every two seconds, all from this node.
    DEFAULT_CONFIRMATIONS: '3',
    STUCK_MS: '15000',
    ...nodes(rpcUrls),
    ...upstreams(ports, ['positions', 'market-data']),
  }),
  sandbox: ({ redisUrl, secrets, sandbox, ports }) => ({
    REDIS_URL: redisUrl,
    ...publicUrl(ports),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_ALLOW_HTTP: 'true',
    SANDBOX_SECRET: secrets.sandboxSecret ?? '',
    SANDBOX_FOLDER: sandbox?.data ?? '',
    SERVICES_FOLDER: sandbox?.services ?? '',
  }),
  ai: ({ ports }) => upstreams(ports, ['positions', 'simulation', 'market-data', 'alerts', 'whales']),
};

const publicUrl = (ports: ServiceContext['ports']): Record<string, string> =>
  ports.has('gateway') ? { PUBLIC_URL: `http://127.0.0.1:${ports.get('gateway')}` } : {};

/** Both addresses of each chain's node. */
function nodes(rpcUrls: ReadonlyMap<number, string>): Record<string, string> {
  return Object.fromEntries(
    [...rpcUrls].flatMap(([chainId, url]) => [
      [`RPC_URL_${chainId}`, url],
      [`RPC_WS_URL_${chainId}`, url.replace(/^http/, 'ws')],
    ]),
  );
}

/** Addresses of these services, or of all behind the gateway. */
function upstreams(
  ports: ReadonlyMap<ServiceName, number>,
  names?: readonly ServiceName[],
): Record<string, string> {
  return Object.fromEntries(
    [...ports]
      .filter(([name]) => (names ? names.includes(name) : name !== 'gateway'))
      .map(([name, port]) => [
        `UPSTREAM_${name.toUpperCase().replaceAll('-', '_')}`,
        `http://127.0.0.1:${port}`,
      ]),
  );
}
