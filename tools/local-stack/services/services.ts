import { existsSync } from 'node:fs';
import path from 'node:path';
import { ONE_PROCESS_FILE } from '@plimsoll/local-parts';
import { COLLECT_REGULARLY } from '../processes/collect-regularly';
import { serviceEnvironment, type ServiceContext, type ServiceName } from './service-environment';

/** A service of the platform as the stack runs it. */
export interface ServiceDefinition {
  name: ServiceName;
  /** Used when it is free, otherwise any other. Only the gateway's is guaranteed. */
  preferredPort: number;
}

/** In the order of the status table. */
const SERVICES: readonly ServiceDefinition[] = [
  { name: 'gateway', preferredPort: 4000 },
  { name: 'positions', preferredPort: 4001 },
  { name: 'alerts', preferredPort: 4002 },
  { name: 'webhook-delivery', preferredPort: 4003 },
  { name: 'streams', preferredPort: 4004 },
  { name: 'market-data', preferredPort: 4005 },
  { name: 'simulation', preferredPort: 4006 },
  { name: 'whales', preferredPort: 4007 },
  { name: 'execution', preferredPort: 4008 },
  { name: 'ai', preferredPort: 4009 },
  { name: 'sandbox', preferredPort: 4210 },
];

const HEAP_MB = 192;
/**
 * Most services have few young objects. The default of 16 MB, three times over, would be most of a service's
 * memory. Many deliveries are in progress at once, and each that outlives a collection is copied: with 4 MB
 * that took a quarter of the CPU, and 32 take a twentieth less than 16. The same holds for the facts of an AI
 * response about hundreds of positions, and for a batch of positions in alerts: with 4 MB the collector took a
 * third of its CPU.
 */
const SEMI_SPACE_MB = 4;
const SEMI_SPACE_MB_OF: Partial<Record<ServiceName, number>> = {
  'webhook-delivery': 32,
  ai: 16,
  alerts: 16,
};

/** Those whose sources are in this checkout. */
export function presentServices(root: string): ServiceDefinition[] {
  return SERVICES.filter(({ name }) => existsSync(path.join(root, 'apps', name, 'src/main.ts')));
}

/** The arguments of Node for one of many services on a machine. */
const smallHeap = (name: ServiceName): string[] => [
  `--max-old-space-size=${HEAP_MB}`,
  `--max-semi-space-size=${SEMI_SPACE_MB_OF[name] ?? SEMI_SPACE_MB}`,
];

/**
 * For a laptop: V8 prefers small code and a small heap, and one helper thread. The ten services then use 0.75
 * GB instead of 1.05 GB. A single allocation arena of glibc saves another 5 MB for each.
 */
export const LAPTOP_NODE_ARGS: readonly string[] = [
  `--max-old-space-size=${HEAP_MB}`,
  '--optimize-for-size',
  '--v8-pool-size=1',
];

/**
 * For all services in one process. They share their packages. --optimize-for-size would limit the young generation
 * to 1 MB: at rest the collector then ran 20 times a second and took 5 % of a core. With 4 MB it ran every two seconds.
 * The old generation grows to about twice what is alive by default.
 */
const ONE_PROCESS_NODE_ARGS: readonly string[] = [
  ...COLLECT_REGULARLY,
  '--max-old-space-size=1024',
  '--max-semi-space-size=16',
  '--min-semi-space-size=16',
  '--v8-pool-size=1',
  '--heap-growing-percent=30',
  // At rest V8 would collect the old generation every 40 seconds to return memory, for 0.7 % of a core.
  '--no-memory-reducer',
  // The gateway sets it when it begins. V8 uses compiled code only with the flags that it was compiled with.
  '--no-allocation-site-pretenuring',
];

/** @param cacheFolder keeps compiled code from one start to the next */
export const laptopEnvironment = (cacheFolder: string): Record<string, string> => ({
  // With the default, eleven services wake their process every few milliseconds.
  EVENT_LOOP_PRECISION_MS: '1000',
  MALLOC_ARENA_MAX: '1',
  NODE_COMPILE_CACHE: path.join(cacheFolder, 'compiled'),
});

/**
 * Returns the command of a service: the program, its arguments and its complete environment.
 * @param nodeArgs arguments of Node; the default is a small heap
 */
export function serviceCommand(
  name: ServiceName,
  port: number,
  context: ServiceContext,
  nodeArgs: readonly string[] = smallHeap(name),
): { file: string; args: string[]; env: NodeJS.ProcessEnv } {
  return {
    file: process.execPath,
    args: [...nodeArgs, '--enable-source-maps', `dist/apps/${name}/main.js`],
    env: { ...process.env, ...serviceEnvironment(name, port, context) },
  };
}

/** Returns the command of one process that runs services. Its input names them, as `servicesInput` returns it. */
export const oneProcessCommand = (): { file: string; args: string[] } => ({
  file: process.execPath,
  args: [...ONE_PROCESS_NODE_ARGS, ONE_PROCESS_FILE],
});

/** Returns the input of the process: the bundle of each service, and its own variables besides those of the process. */
export const servicesInput = (
  ports: ReadonlyMap<ServiceName, number>,
  context: ServiceContext,
  root: string,
): string =>
  JSON.stringify(
    [...ports].map(([name, port]) => ({
      file: path.join(root, 'dist/apps', name, 'main.js'),
      env: serviceEnvironment(name, port, context),
    })),
  );
