import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort, startServer, workspaceRoot, type RunningPart } from '@plimsoll/local-parts';
import { serviceCommand } from '../../tools/local-stack/services/services';
import type { ServiceContext, ServiceName } from '../../tools/local-stack/services/service-environment';
import type { ServiceBuilds } from './service-builds';
import type { ServiceImages } from './service-images';

const execFileAsync = promisify(execFile);
const MIGRATE_MS = 60_000;

/** A built service as `npm start` runs it, which a test may kill and start again on the same port. */
export interface ServiceProcess {
  readonly name: ServiceName;
  readonly url: string;
  /** Serves metrics and readiness. */
  readonly operationsUrl: string;
  readonly logFile: string;
  pid(): number;
  kill9(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Where a service runs from, and how. */
export interface ServiceOptions {
  /** In place of those of `npm start`. */
  nodeArgs?: readonly string[] | undefined;
  /** Runs it from there, in place of the build, as in production: its migrations are a command before the start. */
  images?: ServiceImages | undefined;
  /** Gives it its version. The current migrations are applied while a released version runs. */
  builds?: ServiceBuilds | undefined;
}

/**
 * Starts a service and returns when it is ready.
 * @param extraEnv variables beside those of the stack
 */
export async function startService(
  name: ServiceName,
  context: ServiceContext,
  logFolder: string,
  extraEnv: Record<string, string>,
  { nodeArgs, images, builds }: ServiceOptions = {},
): Promise<ServiceProcess> {
  const port = context.ports.get(name)!;
  const url = `http://127.0.0.1:${port}`;
  const operationsPort = await findFreePort();
  const operationsUrl = `http://127.0.0.1:${operationsPort}`;
  const logFile = path.join(logFolder, `${name}.log`);
  let running: RunningPart;
  const built = serviceCommand(name, port, context, nodeArgs);
  const ofImage = images && { MIGRATE_AT_START: 'false' };
  const env = { ...built.env, OPERATIONS_PORT: String(operationsPort), ...ofImage, ...extraEnv };
  const placed = <C extends typeof built>(command: C) => ({ cwd: workspaceRoot(), ...command, env });
  const first = placed(images?.inImage(name, built) ?? builds?.first(name, built) ?? built);
  const later = builds ? placed(builds.later(name, built)) : first;
  const start = async (command: typeof first): Promise<void> => {
    running = await startServer({
      ...command,
      name,
      url,
      port,
      logFile,
      isReady: async (signal) => (await fetch(`${operationsUrl}/health/ready`, { signal })).ok,
    });
  };
  const migrate = async ({ file, args, ...options }: typeof first): Promise<void> => {
    await execFileAsync(file, [...args, '--migrate'], { ...options, timeout: MIGRATE_MS });
  };
  if (images) await migrate(first);
  await start(first);
  if (builds?.startsReleased(name))
    await migrate(placed(builds.current(name, built))).catch(async (error: unknown) => {
      await running.stop();
      throw error;
    });
  return {
    name,
    url,
    operationsUrl,
    logFile,
    pid: () => running.pid,
    kill9: () => running.kill9(),
    stop: () => running.stop(),
    start: () => start(later),
  };
}
