import { SERVICES, type Service } from '@plimsoll/access';
import {
  type DeployedService,
  DEPLOYED,
  IDENTITY_FOLDER,
  type Place,
  SECRETS_FOLDER,
  deployed,
  variablesOf,
} from './services';
import type { Yaml } from './yaml';

type Entry = Readonly<Record<string, Yaml>>;

const SERVICE_PROFILES = ['platform', 'cluster'];
const SINGLE_PROFILES = ['components', 'platform', 'demo'];
const REPLICAS = '${PLIMSOLL_REPLICAS:-1}';
/** Folder of the files that `npm run tool -- deploy:secrets` writes. */
const SECRETS = '${PLIMSOLL_SECRETS:-./.local/compose}';
/** Those of the host, so that they can read the files of secrets: Compose mounts them with their owner and mode. */
const USER = '${PLIMSOLL_UID:-1000}:${PLIMSOLL_GID:-1000}';
const BROKERS = ['kafka-1', 'kafka-2', 'kafka-3'];

const PLACE: Place = {
  origin: (service) => `http://${service}:8080`,
  redisUrl: 'redis://redis:6379',
  kafkaBrokers: '${PLIMSOLL_KAFKA_BROKERS:-kafka:19092}',
  kafkaPartitions: null,
  publicUrl: '${PLIMSOLL_PUBLIC_URL:-http://127.0.0.1:4000}',
  gateways: REPLICAS,
  chainIds: [1],
};

/** Milliseconds after SIGTERM until a service has ended: see SHUTDOWN_LAME_DUCK_MS and SHUTDOWN_DEADLINE_MS. */
const GRACE = '15s';

/** The whole Compose file. */
export function composeFile(): Entry {
  return {
    name: 'plimsoll',
    services: {
      ...components(),
      ...Object.fromEntries(
        DEPLOYED.flatMap((service) => [
          ...(service.schema === null ? [] : [[`${service.name}-migrate`, migrationOf(service)] as const]),
          [service.name, serviceOf(service)] as const,
        ]),
      ),
      'sandbox-folder': sandboxFolder(),
      demo: demo(),
      prometheus: prometheus(),
    },
    secrets: secretFiles(),
    volumes: {
      postgres: null,
      redis: null,
      kafka: null,
      ...Object.fromEntries(BROKERS.map((broker) => [broker, null])),
      sandbox: null,
      demo: null,
      prometheus: null,
    },
  };
}

/** The image and its environment, for the service and for its migrations. */
function common(service: DeployedService): Entry {
  const { name } = service;
  const { variables, files } = variablesOf(service, PLACE);
  return {
    image: `\${PLIMSOLL_REGISTRY:-plimsoll}/${name}:\${PLIMSOLL_VERSION:-local}`,
    build: {
      context: '.',
      dockerfile: 'deploy/Dockerfile',
      target: name,
      // The build names what is missing when it is empty.
      args: { NODE_IMAGE: '${NODE_IMAGE:-}', VERSION: '${PLIMSOLL_VERSION:-local}' },
    },
    user: USER,
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    environment: {
      ...variables,
      ...Object.fromEntries(
        Object.entries(files).map(([variable, file]) => [`${variable}_FILE`, `${SECRETS_FOLDER}/${file}`]),
      ),
    },
    secrets: [
      { source: 'identity-public', target: `${IDENTITY_FOLDER}/public.json` },
      { source: `identity-${name}`, target: `${IDENTITY_FOLDER}/${name}.private.json` },
      ...Object.values(files).map((file) => ({
        source: sourceOf(name, file),
        target: `${SECRETS_FOLDER}/${file}`,
      })),
    ],
  };
}

/** Each service has its own database role. */
const sourceOf = (service: Service, file: string): string =>
  file === 'database-url' ? `database-url-${service}` : file;

function migrationOf(service: DeployedService): Entry {
  return {
    ...common(service),
    profiles: SERVICE_PROFILES,
    command: ['node', 'app/main.js', '--migrate'],
    restart: 'no',
    healthcheck: { disable: true },
    depends_on: { 'database-roles': after('service_completed_successfully') },
  };
}

function serviceOf(service: DeployedService): Entry {
  const { name, components: needs, schema } = service;
  return {
    ...common(service),
    profiles: SERVICE_PROFILES,
    restart: 'unless-stopped',
    stop_grace_period: GRACE,
    ...(name === 'gateway' && { ports: ['127.0.0.1:${PLIMSOLL_PORTS:-4000}:8080'] }),
    ...(name === 'sandbox' && { volumes: ['sandbox:/var/lib/plimsoll'] }),
    // A test market belongs to the process that started it.
    deploy: { replicas: name === 'sandbox' ? 1 : REPLICAS },
    healthcheck: {
      test: ['CMD', 'node', '-e', READY],
      interval: '5s',
      timeout: '3s',
      start_period: '60s',
      retries: 12,
    },
    depends_on: {
      ...(schema !== null && { [`${name}-migrate`]: after('service_completed_successfully') }),
      ...(name === 'sandbox' && { 'sandbox-folder': after('service_completed_successfully') }),
      ...(needs.includes('redis') && { redis: after('service_healthy') }),
      ...(needs.includes('kafka') && eachBroker()),
      // The gateway is the last, so that its health is that of the platform.
      ...(name === 'gateway' &&
        Object.fromEntries(deployed(name).calls.map((each) => [each, after('service_healthy')]))),
    },
  };
}

/** A new volume belongs to root. */
function sandboxFolder(): Entry {
  const { image, build } = common(deployed('sandbox'));
  return {
    image: image!,
    build: build!,
    profiles: SERVICE_PROFILES,
    user: '0:0',
    command: ['chown', USER, '/var/lib/plimsoll'],
    volumes: ['sandbox:/var/lib/plimsoll'],
    restart: 'no',
    healthcheck: { disable: true },
  };
}

const READY =
  "fetch('http://127.0.0.1:9090/health/ready').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))";

const after = (condition: string): Entry => ({ condition });
/** A broker of a profile that is off is no condition. */
const eachBroker = (): Entry =>
  Object.fromEntries(
    ['kafka', ...BROKERS].map((broker) => [broker, { condition: 'service_healthy', required: false }]),
  );

function components(): Entry {
  return {
    postgres: {
      image: 'postgres:18.1',
      profiles: [...SINGLE_PROFILES, 'cluster'],
      environment: {
        POSTGRES_USER: 'plimsoll',
        POSTGRES_PASSWORD_FILE: '/run/secrets/postgres-password',
        POSTGRES_DB: 'plimsoll',
      },
      command: ['postgres', '-c', 'max_connections=200'],
      secrets: ['postgres-password'],
      ports: ['127.0.0.1:5432:5432'],
      volumes: ['postgres:/var/lib/postgresql'],
      healthcheck: {
        test: ['CMD', 'pg_isready', '--username=plimsoll', '--dbname=plimsoll'],
        interval: '2s',
        timeout: '2s',
        retries: 30,
      },
    },
    // A role and a schema for each service. It changes nothing that is right.
    'database-roles': {
      image: 'postgres:18.1',
      profiles: SERVICE_PROFILES,
      environment: { PGPASSFILE: '/run/secrets/pgpass' },
      command: [
        'psql',
        '--host=postgres',
        '--username=plimsoll',
        '--dbname=plimsoll',
        '--set=ON_ERROR_STOP=1',
        '--file=/run/secrets/database-roles.sql',
      ],
      secrets: ['pgpass', 'database-roles.sql'],
      restart: 'no',
      depends_on: { postgres: after('service_healthy') },
    },
    redis: {
      image: 'redis:8.2.3',
      profiles: [...SINGLE_PROFILES, 'cluster'],
      command: ['redis-server', '--appendonly', 'yes'],
      ports: ['127.0.0.1:6379:6379'],
      volumes: ['redis:/data'],
      healthcheck: { test: ['CMD', 'redis-cli', 'ping'], interval: '2s', timeout: '2s', retries: 30 },
    },
    kafka: broker('kafka', ['kafka'], SINGLE_PROFILES),
    ...Object.fromEntries(BROKERS.map((name) => [name, broker(name, BROKERS, ['cluster'])])),
  };
}

/** A broker of a cluster of these brokers. Services use port 19092. The host has the first one at 9092. */
function broker(name: string, all: readonly string[], profiles: readonly string[]): Entry {
  const copies = String(all.length);
  const inSync = String(Math.max(1, all.length - 1));
  const isFirst = name === all[0];
  return {
    image: 'apache/kafka:4.2.0',
    profiles,
    environment: {
      CLUSTER_ID: '4L6g3nShT-eMCtK--X86sw',
      KAFKA_NODE_ID: String(all.indexOf(name) + 1),
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,INTERNAL://:19092,CONTROLLER://:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${isFirst ? '127.0.0.1' : name}:9092,INTERNAL://${name}:19092`,
      KAFKA_INTER_BROKER_LISTENER_NAME: 'INTERNAL',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_CONTROLLER_QUORUM_VOTERS: all.map((each, at) => `${at + 1}@${each}:9093`).join(','),
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_DEFAULT_REPLICATION_FACTOR: copies,
      KAFKA_MIN_INSYNC_REPLICAS: inSync,
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: copies,
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: copies,
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: inSync,
      KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: copies,
      KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR: inSync,
      KAFKA_LOG_DIRS: '/var/lib/kafka/data',
      KAFKA_HEAP_OPTS: '-Xmx384m',
    },
    ...(all.length === 1 && { ports: ['127.0.0.1:9092:9092'] }),
    volumes: [`${name}:/var/lib/kafka/data`],
    healthcheck: {
      test: ['CMD', '/opt/kafka/bin/kafka-broker-api-versions.sh', '--bootstrap-server', '127.0.0.1:19092'],
      interval: '5s',
      timeout: '10s',
      retries: 20,
    },
  };
}

/** `npm start` in a container: local chains, the market and all services, on the ports of the host. */
function demo(): Entry {
  return {
    image: '${PLIMSOLL_REGISTRY:-plimsoll}/demo:${PLIMSOLL_VERSION:-local}',
    profiles: ['demo'],
    build: {
      context: '.',
      dockerfile: 'deploy/Dockerfile',
      target: 'build',
      args: { NODE_IMAGE: '${NODE_IMAGE:-}' },
    },
    command: ['sh', '-c', 'DATABASE_URL="$$(cat /run/secrets/database-url)" exec npm start'],
    network_mode: 'host',
    environment: {
      REDIS_URL: 'redis://127.0.0.1:6379',
      KAFKA_BROKERS: '127.0.0.1:9092',
    },
    secrets: ['database-url'],
    volumes: ['demo:/plimsoll/.local'],
    init: true,
    stop_grace_period: '30s',
    depends_on: {
      postgres: after('service_healthy'),
      redis: after('service_healthy'),
      kafka: after('service_healthy'),
    },
  };
}

function prometheus(): Entry {
  return {
    image: 'prom/prometheus:v3.5.0',
    profiles: ['observability'],
    command: ['--config.file=/etc/prometheus/prometheus.yml', '--storage.tsdb.retention.time=7d'],
    ports: ['127.0.0.1:9091:9090'],
    volumes: [
      './deploy/prometheus.yml:/etc/prometheus/prometheus.yml:ro',
      './deploy/prometheus-rules.yml:/etc/prometheus/prometheus-rules.yml:ro',
      'prometheus:/prometheus',
    ],
  };
}

/** All files of secrets, by the name of the file. */
function secretFiles(): Entry {
  const ofServices = DEPLOYED.flatMap((service) =>
    Object.values(variablesOf(service, PLACE).files).map((file) => sourceOf(service.name, file)),
  );
  const names = ['postgres-password', 'pgpass', 'database-roles.sql', 'database-url', ...new Set(ofServices)];
  return {
    ...Object.fromEntries(names.map((name) => [name, { file: `${SECRETS}/${name}` }])),
    'identity-public': { file: `${SECRETS}/identity/public.json` },
    ...Object.fromEntries(
      SERVICES.map((name) => [`identity-${name}`, { file: `${SECRETS}/identity/${name}.private.json` }]),
    ),
  };
}

/** The Prometheus of Compose. */
export function prometheusFile(): Entry {
  return {
    global: { scrape_interval: '15s' },
    rule_files: ['prometheus-rules.yml'],
    scrape_configs: [
      {
        job_name: 'plimsoll',
        dns_sd_configs: [{ names: SERVICES, type: 'A', port: 9090, refresh_interval: '15s' }],
        relabel_configs: [{ source_labels: ['__meta_dns_name'], target_label: 'service' }],
      },
    ],
  };
}

/** The variables of the cluster profile. */
export const CLUSTER_ENV = `# docker compose --env-file deploy/compose-cluster.env up --detach --wait
COMPOSE_PROFILES=cluster
PLIMSOLL_REPLICAS=2
PLIMSOLL_KAFKA_BROKERS=${BROKERS.map((name) => `${name}:19092`).join(',')}
PLIMSOLL_PORTS=4000-4001
`;
