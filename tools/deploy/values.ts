import { SERVICES, type Service } from '@plimsoll/access';
import { type DeployedService, type Place, callersOf, variablesOf } from './services';
import type { Yaml } from './yaml';

type Values = Readonly<Record<string, Yaml>>;

/** The sets of sizes. */
export const SETS = ['small', 'production', 'tenfold'] as const;
export type SetName = (typeof SETS)[number];

/** The chart evaluates these templates. */
const PLACE: Place = {
  origin: (service) => `http://plimsoll-${service}`,
  redisUrl: null,
  kafkaBrokers: '{{ required "global.kafkaBrokers is not set" .Values.global.kafkaBrokers }}',
  kafkaPartitions: '{{ .Values.global.kafkaPartitions }}',
  publicUrl: '{{ required "global.publicUrl is not set" .Values.global.publicUrl }}',
  gateways: '{{ (include "plimsoll.size" . | fromYaml).most }}',
  chainIds: [1],
};

/** The services that follow the load of requests, and those that follow the lag of their consumer group. */
const ON_CPU: ReadonlySet<Service> = new Set(['gateway', 'streams']);
const ON_LAG: ReadonlySet<Service> = new Set(['alerts', 'webhook-delivery', 'positions']);
/** Events of the group that wait, for each process. */
const LAG = 500;

/** The values of a service, which hold for every set of sizes. */
export function serviceValues(service: DeployedService): Values {
  const { name, schema, components, calls } = service;
  const { variables, files } = variablesOf(service, PLACE);
  const folder = service.variables['SANDBOX_FOLDER'];
  return {
    service: name,
    migrate: schema !== null,
    scaling: scalingOf(name),
    env: variables,
    secrets: files,
    network: {
      callers: callersOf(name),
      calls,
      components: components.filter((each) => each !== 'internet'),
      internet: components.includes('internet'),
      fromAnywhere: name === 'gateway',
    },
    ...(folder !== undefined && { writable: { path: folder, size: '10Gi' } }),
  };
}

function scalingOf(name: Service): Values {
  if (ON_CPU.has(name)) return { by: 'cpu', cpuPercent: 60 };
  return ON_LAG.has(name) ? { by: 'lag', consumerGroup: name, lag: LAG } : { by: 'none' };
}

/** CPU and memory of a process, the least and the most processes. */
type Row = readonly [cpu: string, memory: string, least: number, most: number];

/**
 * First values, which no load of the whole platform has confirmed. Services that do not scale have `least` processes. The
 * sandbox has one, because a test market belongs to the process that started it.
 */
const SIZES: Readonly<Record<SetName, Readonly<Record<Service, Row>>>> = {
  small: {
    gateway: ['250m', '384Mi', 1, 2],
    'market-data': ['100m', '384Mi', 1, 1],
    positions: ['250m', '512Mi', 1, 2],
    alerts: ['100m', '384Mi', 1, 2],
    'webhook-delivery': ['100m', '384Mi', 1, 2],
    streams: ['100m', '384Mi', 1, 2],
    simulation: ['250m', '512Mi', 1, 1],
    whales: ['100m', '384Mi', 1, 1],
    ai: ['100m', '384Mi', 1, 1],
    execution: ['100m', '384Mi', 1, 1],
    sandbox: ['500m', '5Gi', 1, 1],
  },
  production: {
    gateway: ['1', '1Gi', 2, 6],
    'market-data': ['250m', '512Mi', 2, 2],
    positions: ['1', '1Gi', 2, 8],
    alerts: ['500m', '768Mi', 2, 8],
    'webhook-delivery': ['500m', '768Mi', 2, 8],
    streams: ['500m', '1Gi', 2, 6],
    simulation: ['2', '1Gi', 2, 2],
    whales: ['250m', '768Mi', 2, 2],
    ai: ['250m', '512Mi', 2, 2],
    execution: ['250m', '512Mi', 2, 2],
    sandbox: ['2', '6Gi', 1, 1],
  },
  tenfold: {
    gateway: ['1', '1Gi', 8, 40],
    'market-data': ['500m', '1Gi', 3, 3],
    positions: ['1', '2Gi', 8, 24],
    alerts: ['1', '1Gi', 6, 24],
    'webhook-delivery': ['1', '1Gi', 6, 24],
    streams: ['1', '2Gi', 6, 40],
    simulation: ['4', '2Gi', 6, 6],
    whales: ['500m', '1Gi', 2, 2],
    ai: ['500m', '1Gi', 4, 4],
    execution: ['500m', '768Mi', 3, 3],
    sandbox: ['4', '12Gi', 1, 1],
  },
};

/** A set of sizes, with a row for every service. */
export function setValues(set: SetName): Values {
  const sizes = SERVICES.map((name) => {
    const [cpu, memory, least, most] = SIZES[set][name];
    return [name, { cpu, memory, least, most }];
  });
  return { sizes: Object.fromEntries(sizes) as Values };
}
