import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort, startServer, workspaceRoot, type RunningPart } from '@plimsoll/local-parts';
import { serviceCommand } from '../../tools/local-stack/services/services';
import type { ServiceContext, ServiceName } from '../../tools/local-stack/services/service-environment';
import type { ServiceImages } from './service-images';

const execFileAsync = promisify(execFile);
const MIGRATE_MS = 60_000;

/** A built service as `npm start` runs it, which a test may kill and start again on the same port. */
export interface ServiceProcess {
  readonly name: ServiceName;
  readonly url: string;
  /** Serves metrics and readiness. */
  readonly operationsUrl: string;
  pid(): number;
  kill9(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/**
 * Starts a service and returns when it is ready.
 * @param env variables beside those of the stack
 * @param nodeArgs in place of those of `npm start`
 * @param images runs it from there, in place of the build, as in production: its migrations are a command before the start
 */
export async function startService(
  name: ServiceName,
  context: ServiceContext,
  logFolder: string,
  env: Record<string, string>,
  nodeArgs?: readonly string[],
  images?: ServiceImages,
): Promise<ServiceProcess> {
  const port = context.ports.get(name)!;
  const url = `http://127.0.0.1:${port}`;
  const operationsPort = await findFreePort();
  const operationsUrl = `http://127.0.0.1:${operationsPort}`;
  let running: RunningPart;
  const built = { ...serviceCommand(name, port, context, nodeArgs), cwd: workspaceRoot() };
  const command = images?.inImage(name, built) ?? built;
  const ofImage = images && { MIGRATE_AT_START: 'false' };
  const variables = { ...command.env, OPERATIONS_PORT: String(operationsPort), ...ofImage, ...env };
  const start = async (): Promise<void> => {
    running = await startServer({
      ...command,
      env: variables,
      name,
      url,
      port,
      logFile: path.join(logFolder, `${name}.log`),
      isReady: async (signal) => (await fetch(`${operationsUrl}/health/ready`, { signal })).ok,
    });
  };
  if (images)
    await execFileAsync(command.file, [...command.args, '--migrate'], {
      ...command,
      env: variables,
      timeout: MIGRATE_MS,
    });
  await start();
  return {
    name,
    url,
    operationsUrl,
    pid: () => running.pid,
    kill9: () => running.kill9(),
    stop: () => running.stop(),
    start,
  };
}
