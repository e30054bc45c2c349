import path from 'node:path';
import { findFreePort, isPortFree, startServer, type RunningPart } from '@plimsoll/local-parts';
import { explainTakenPort } from './port-conflict';
import {
  LAPTOP_NODE_ARGS,
  laptopEnvironment,
  oneProcessCommand,
  presentServices,
  serviceCommand,
  servicesInput,
  type ServiceDefinition,
} from './services';
import type { ServiceContext, ServiceName } from './service-environment';
import type { StartContext } from '../parts/start-parts';

/** A service that crashed gets its partitions back only after its old session has expired. */
const READY_TIMEOUT_MS = 90_000;

/** Several checkouts can run at a time. */
const MOST_STACKS = 20;
const PORTS_OF_A_STACK = 10;
/** The port of the metrics of a service is higher by this: beyond the ports of all stacks. */
const OPERATIONS_OFFSET = 500;

/** The name of the process that runs all services. */
const ONE_PROCESS = 'services';

/** Ports of all services of this checkout. The gateway's must be free. Throws UsageError. */
export async function chooseServicePorts({ config, paths }: StartContext): Promise<Map<ServiceName, number>> {
  const ports = new Map<ServiceName, number>();
  for (const { name, preferredPort } of presentServices(paths.root)) {
    ports.set(name, name === 'gateway' ? config.publicPort : await freePort(preferredPort));
  }
  if (ports.has('gateway') && !(await isPortFree(config.publicPort))) {
    throw await explainTakenPort(config.publicPort);
  }
  return ports;
}

/** The ports of their metrics and readiness, of every service. */
export async function chooseOperationsPorts({ paths }: StartContext): Promise<Map<ServiceName, number>> {
  const ports = new Map<ServiceName, number>();
  for (const { name, preferredPort } of presentServices(paths.root)) {
    ports.set(name, await freePort(preferredPort + OPERATIONS_OFFSET));
  }
  return ports;
}

/** Where each service listens. */
export interface ServicePorts {
  /** For requests. */
  ports: ReadonlyMap<ServiceName, number>;
  /** For metrics and readiness. */
  operationsPorts: ReadonlyMap<ServiceName, number>;
}

/**
 * Starts all services in parallel and returns when each one is ready. Throws PartError, or the error of `service`.
 * @param service is known when the parts run; one process for all services loads its packages before
 */
export async function startServices(
  context: StartContext,
  ports: ServicePorts,
  service: Promise<ServiceContext>,
): Promise<void> {
  if (context.config.isOneProcess) await startTogether(context, ports, service);
  else await startSeparately(context, await service);
}

async function startTogether(
  { paths, processes, progress, state }: StartContext,
  { ports, operationsPorts }: ServicePorts,
  service: Promise<ServiceContext>,
): Promise<void> {
  const urls = [...ports].map(([name, port]) => ({
    name,
    url: `http://127.0.0.1:${port}`,
    operationsUrl: operationsUrlOf(operationsPorts, name),
  }));
  const start = (): Promise<RunningPart> =>
    startServer({
      name: ONE_PROCESS,
      // The public address. The process listens on the port of every service.
      url: urls[0]?.url ?? '',
      port: ports.values().next().value ?? 0,
      ...oneProcessCommand(),
      env: { ...process.env, ...laptopEnvironment(paths.cache) },
      input: service.then((known) => servicesInput(ports, known, paths.root)),
      cwd: paths.root,
      logFile: path.join(paths.logs, `${ONE_PROCESS}.log`),
      isReady: areReady(urls.map(({ operationsUrl }) => operationsUrl)),
      readyTimeoutMs: READY_TIMEOUT_MS,
    });
  // Its readiness in run.json is that of the gateway. Each service has an entry of its own.
  const started = processes.launch('service', ONE_PROCESS, start, { operationsUrl: urls[0]?.operationsUrl });
  // The step reports its failure.
  started.catch(() => undefined);
  await service;
  await progress.step(
    'services',
    () => started,
    ({ pid }) => `${urls.length} in process ${pid}`,
  );
  for (const service of urls) await state.record({ kind: 'service', ...service });
}

async function startSeparately(context: StartContext, service: ServiceContext): Promise<void> {
  await Promise.all(
    presentServices(context.paths.root).map((definition) =>
      context.progress.step(
        definition.name,
        () =>
          context.processes.launch('service', definition.name, () => startOne(context, definition, service), {
            operationsUrl: operationsUrlOf(service.operationsPorts, definition.name),
          }),
        ({ url }) => url,
      ),
    ),
  );
}

function startOne(
  { paths }: StartContext,
  { name }: ServiceDefinition,
  service: ServiceContext,
): Promise<RunningPart> {
  const port = service.ports.get(name);
  if (port === undefined) throw new Error(`no port was chosen for ${name}`);
  const url = `http://127.0.0.1:${port}`;
  const { env, ...command } = serviceCommand(name, port, service, LAPTOP_NODE_ARGS);
  return startServer({
    name,
    url,
    port,
    ...command,
    env: { ...laptopEnvironment(paths.cache), ...env },
    cwd: paths.root,
    logFile: path.join(paths.logs, `${name}.log`),
    isReady: () => isReady(operationsUrlOf(service.operationsPorts, name)),
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
}

const operationsUrlOf = (ports: ServiceContext['operationsPorts'], name: ServiceName): string =>
  `http://127.0.0.1:${ports?.get(name)}`;

/** Checks one service after the other, because each check costs a service a query and the launcher a connection. */
function areReady(operationsUrls: readonly string[]): () => Promise<boolean> {
  const left = [...operationsUrls];
  return async () => {
    for (let next = left[0]; next !== undefined; next = left[0]) {
      if (!(await isReady(next))) return false;
      left.shift();
    }
    return true;
  };
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(3_000) })).ok;
}

/**
 * The preferred port, or the same place among the ports of a further stack. The services listen half a minute later, and the operating
 * system gives the ports of findFreePort to outgoing connections meanwhile.
 */
async function freePort(preferredPort: number): Promise<number> {
  for (let stack = 0; stack < MOST_STACKS; stack += 1) {
    const port = preferredPort + stack * PORTS_OF_A_STACK;
    if (await isPortFree(port)) return port;
  }
  return findFreePort();
}
