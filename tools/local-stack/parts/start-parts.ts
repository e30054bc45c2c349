import path from 'node:path';
import {
  isPortFree,
  PART_STARTERS,
  startPostgres,
  type PartOptions,
  type PartsChoice,
  type RunningPart,
} from '@plimsoll/local-parts';
import { COLLECT_REGULARLY } from '../processes/collect-regularly';
import type { ProcessSet } from '../processes/process-set';
import type { Progress } from '../processes/progress';
import type { RunStateFile } from '../processes/run-state';
import type { StackConfig } from '../settings/stack-config';
import type { StackPaths } from '../settings/stack-paths';

/** The state that the steps of a start share. */
export interface StartContext {
  config: StackConfig;
  paths: StackPaths;
  progress: Progress;
  processes: ProcessSet;
  state: RunStateFile;
}

/** Addresses of the parts that every service shares. */
export interface SharedAddresses {
  databaseUrl: string;
  redisUrl: string;
  kafkaBrokers: string;
}

const DATABASE = 'plimsoll';
/** A local market has 30 MB of data. Postgres touches all of its buffers within the hour. */
const SHARED_BUFFERS_MB = 32;
/**
 * Redis and Kafka have 8 MB alive and little garbage. V8 would let the young generation grow to 48 MB before it collects
 * the first time, which looks like a leak.
 */
const PART_NODE_ARGS = [
  ...COLLECT_REGULARLY,
  '--initial-old-space-size=4',
  '--heap-growing-percent=30',
  '--max-semi-space-size=2',
];
const PREFERRED_PORTS = { postgres: 15_432, redis: 16_379, kafka: 19_092 };

/**
 * Starts Postgres, Redis and Kafka in parallel, each unless its address is in the environment. Throws
 * PartError.
 */
export async function startSharedParts(context: StartContext): Promise<SharedAddresses> {
  const { databaseUrl, redisUrl, kafkaBrokers, parts } = context.config;
  const start = PART_STARTERS[parts];
  const [postgres, redis, kafka] = await Promise.all([
    startPart(context, 'postgres', databaseUrl, PREFERRED_PORTS.postgres, (options) =>
      startPostgres({ ...options, database: DATABASE, sharedBuffersMb: SHARED_BUFFERS_MB }),
    ),
    startPart(context, 'redis', redisUrl, PREFERRED_PORTS.redis, start.redis, parts),
    startPart(context, 'kafka', kafkaBrokers, PREFERRED_PORTS.kafka, start.kafka, parts),
  ]);
  return { databaseUrl: postgres, redisUrl: redis, kafkaBrokers: kafka };
}

/** Uses the address of the environment, or starts the part and keeps it running. Returns its address. */
export async function startPart(
  { processes, progress, paths, state }: StartContext,
  name: string,
  givenUrl: string | undefined,
  preferredPort: number,
  start: (options: PartOptions) => Promise<RunningPart>,
  variant?: PartsChoice,
): Promise<string> {
  if (givenUrl !== undefined) {
    await state.record({ name, kind: 'part', url: givenUrl, variant: 'given' });
    progress.print(`  given  ${name.padEnd(18)} ${withoutPassword(givenUrl)}`);
    return givenUrl;
  }
  const options = {
    dataDir: path.join(paths.data, dataFolder(name, variant)),
    logFile: path.join(paths.logs, `${name}.log`),
    nodeArgs: PART_NODE_ARGS,
  };
  const run = async (): Promise<RunningPart> => {
    const firstPort = await portOrAny(preferredPort);
    return processes.launch(
      'part',
      name,
      (port = firstPort) => start({ ...options, port, cacheDir: paths.cache }),
      { variant },
    );
  };
  const describe = ({ url }: RunningPart): string =>
    `${withoutPassword(url)}${variant ? `  ${variant}` : ''}`;
  return (await progress.step(name, run, describe)).url;
}

/** Embedded and genuine parts do not read each other's files. */
export function dataFolder(name: string, variant: PartsChoice | undefined): string {
  return variant === 'genuine' ? `${name}-genuine` : name;
}

/** The port when it is free. Undefined means any. */
export async function portOrAny(preferredPort: number): Promise<number | undefined> {
  return (await isPortFree(preferredPort)) ? preferredPort : undefined;
}

/** An address as it may be printed. */
export function withoutPassword(url: string): string {
  return url.replace(/\/\/([^:/@]+):[^@]*@/, '//$1@');
}
