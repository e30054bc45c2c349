import { SERVICES, type Service, calledBy } from '@plimsoll/access';

/** Something that a service needs in its network. */
export type Component = 'postgres' | 'redis' | 'kafka' | 'internet';

/** The facts about a service that Compose, Helm and the database roles share. */
export interface DeployedService {
  name: Service;
  /** Its schema in Postgres. Null: it has none. */
  schema: string | null;
  components: readonly Component[];
  /** The services that it sends requests to. */
  calls: readonly Service[];
  /** Whether it reads chains: it then has RPC_URL_<chainId>. */
  readsChains: boolean;
  /** The variables whose values are secrets, beside those of components and chains. */
  secrets: readonly string[];
  /** The variables that differ from their defaults, in every environment. */
  variables: Readonly<Record<string, string>>;
}

type Facts = Pick<DeployedService, 'components'> &
  Partial<Pick<DeployedService, 'readsChains' | 'secrets' | 'variables'>>;

/**
 * A test compares the components with the fields of the configuration classes. `internet`: nodes of chains, price
 * sources, the language model, the mail server, or endpoints of customers.
 */
const FACTS: Readonly<Record<Service, Facts>> = {
  gateway: { components: ['postgres', 'redis', 'kafka', 'internet'] },
  positions: {
    components: ['postgres', 'kafka', 'internet'],
    readsChains: true,
    secrets: ['RECEIPT_SECRET_KEYS'],
  },
  'market-data': { components: ['postgres', 'kafka', 'internet'], readsChains: true },
  alerts: { components: ['postgres', 'kafka'] },
  'webhook-delivery': {
    components: ['postgres', 'kafka', 'internet'],
    secrets: ['WEBHOOK_SECRET_KEYS'],
  },
  streams: { components: ['redis', 'kafka'] },
  simulation: { components: ['postgres', 'kafka'] },
  whales: { components: ['postgres', 'kafka', 'internet'], readsChains: true },
  ai: { components: ['postgres', 'internet'] },
  execution: { components: ['postgres', 'kafka', 'internet'], readsChains: true },
  sandbox: {
    components: ['postgres', 'redis', 'kafka', 'internet'],
    secrets: ['SANDBOX_SECRET'],
    variables: { SANDBOX_FOLDER: '/var/lib/plimsoll', SERVICES_FOLDER: '/plimsoll/services' },
  },
};

/** The services, in the order of the endpoint table. */
export const DEPLOYED: readonly DeployedService[] = SERVICES.map((name) => ({
  name,
  schema: FACTS[name].components.includes('postgres') ? name.replaceAll('-', '_') : null,
  calls: calledBy(name),
  readsChains: false,
  secrets: [],
  variables: {},
  ...FACTS[name],
}));

/** @throws when there is no such service */
export function deployed(name: string): DeployedService {
  const found = DEPLOYED.find((each) => each.name === name);
  if (!found) throw new Error(`${name} is no service. The services are ${SERVICES.join(', ')}.`);
  return found;
}

/** The folders of secrets in a container. */
export const SECRETS_FOLDER = '/run/secrets/plimsoll';
export const IDENTITY_FOLDER = '/run/identity';

/** The addresses of one environment. */
export interface Place {
  origin(service: Service): string;
  /** Null: it is a secret. */
  redisUrl: string | null;
  kafkaBrokers: string;
  /** Null: the default. */
  kafkaPartitions: string | null;
  /** The origin for browsers. */
  publicUrl: string;
  /** The number of gateway processes, which share a limit while there is no Redis. */
  gateways: string;
  chainIds: readonly number[];
}

/** The environment of a service: variables, and those that a file sets. */
export interface ServiceVariables {
  variables: Record<string, string>;
  /** By variable, the name of its file in SECRETS_FOLDER. The container has `<variable>_FILE`. */
  files: Record<string, string>;
}

/** The environment of a service in a place. The images set HOST, PORT, OPERATIONS_PORT and MIGRATE_AT_START. */
export function variablesOf(service: DeployedService, place: Place): ServiceVariables {
  const { name, components, calls, readsChains, secrets } = service;
  const uses = (component: Component): boolean => components.includes(component);
  const secretVariables = [
    ...(uses('postgres') ? ['DATABASE_URL'] : []),
    ...(uses('redis') && place.redisUrl === null ? ['REDIS_URL'] : []),
    ...(readsChains ? place.chainIds.map((id) => `RPC_URL_${id}`) : []),
    ...secrets,
  ];
  return {
    variables: {
      // Probes and Prometheus come from outside of the container.
      OPERATIONS_HOST: '0.0.0.0',
      IDENTITY_KEYS_FOLDER: IDENTITY_FOLDER,
      ...(uses('kafka') && { KAFKA_BROKERS: place.kafkaBrokers }),
      ...(uses('kafka') && place.kafkaPartitions !== null && { KAFKA_PARTITIONS: place.kafkaPartitions }),
      ...(uses('redis') && place.redisUrl !== null && { REDIS_URL: place.redisUrl }),
      ...(HAS_PUBLIC_URL.has(name) && { PUBLIC_URL: place.publicUrl }),
      ...(name === 'gateway' && { GATEWAY_INSTANCES: place.gateways }),
      ...service.variables,
      ...Object.fromEntries(calls.map((each) => [upstreamVariable(each), place.origin(each)])),
    },
    files: Object.fromEntries(secretVariables.map((variable) => [variable, fileOf(variable)])),
  };
}

/** The gateway makes links, and webhooks may not go to the platform itself. */
const HAS_PUBLIC_URL: ReadonlySet<string> = new Set(['gateway', 'webhook-delivery', 'sandbox']);

const upstreamVariable = (service: Service): string =>
  `UPSTREAM_${service.toUpperCase().replaceAll('-', '_')}`;

const fileOf = (variable: string): string => variable.toLowerCase().replaceAll('_', '-');

/** The services that send requests to this one. */
export const callersOf = (name: Service): readonly Service[] =>
  DEPLOYED.filter(({ calls }) => calls.includes(name)).map((each) => each.name);
