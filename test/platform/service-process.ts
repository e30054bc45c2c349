import path from 'node:path';
import { findFreePort, startServer, workspaceRoot, type RunningPart } from '@plimsoll/local-parts';
import { serviceCommand } from '../../tools/local-stack/services/services';
import type { ServiceContext, ServiceName } from '../../tools/local-stack/services/service-environment';

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
 */
export async function startService(
  name: ServiceName,
  context: ServiceContext,
  logFolder: string,
  env: Record<string, string>,
  nodeArgs?: readonly string[],
): Promise<ServiceProcess> {
  const port = context.ports.get(name)!;
  const url = `http://127.0.0.1:${port}`;
  const operationsPort = await findFreePort();
  const operationsUrl = `http://127.0.0.1:${operationsPort}`;
  let running: RunningPart;
  const start = async (): Promise<void> => {
    const command = serviceCommand(name, port, context, nodeArgs);
    running = await startServer({
      ...command,
      env: { ...command.env, OPERATIONS_PORT: String(operationsPort), ...env },
      name,
      url,
      port,
      cwd: workspaceRoot(),
      logFile: path.join(logFolder, `${name}.log`),
      isReady: async (signal) => (await fetch(`${operationsUrl}/health/ready`, { signal })).ok,
    });
  };
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
