import path from 'node:path';
import { findFreePort, startServer, workspaceRoot, type RunningPart } from '@plimsoll/local-parts';

/**
 * Starts a TypeScript file of this bench as a separate process that listens on PORT and handles GET
 * /health/ready.
 */
export async function startNode(
  name: string,
  file: string,
  logFolder: string,
  env: Record<string, string> = {},
): Promise<RunningPart> {
  const port = await findFreePort();
  const ready = `http://127.0.0.1:${port}`;
  const root = workspaceRoot();
  return startNodeServer(
    name,
    port,
    ['-r', '@swc-node/register', path.join(__dirname, file)],
    logFolder,
    ready,
    {
      SWC_NODE_PROJECT: path.join(root, 'tsconfig.json'),
      ...env,
    },
  );
}

/** A built app with the address of its metrics. */
export interface RunningApp extends RunningPart {
  operationsUrl: string;
}

/**
 * Starts a built app. Arguments and environment are those of production, without the local stack's small
 * heaps.
 */
export async function startBuiltApp(
  name: string,
  port: number,
  app: string,
  logFolder: string,
  env: Record<string, string>,
): Promise<RunningApp> {
  const operationsPort = await findFreePort();
  const operationsUrl = `http://127.0.0.1:${operationsPort}`;
  const args = [`dist/apps/${app}/main.js`];
  const own = { OPERATIONS_PORT: String(operationsPort), ...env };
  return { ...(await startNodeServer(name, port, args, logFolder, operationsUrl, own)), operationsUrl };
}

function startNodeServer(
  name: string,
  port: number,
  args: string[],
  logFolder: string,
  readyUrl: string,
  env: Record<string, string>,
): Promise<RunningPart> {
  const url = `http://127.0.0.1:${port}`;
  return startServer({
    name,
    url,
    port,
    file: process.execPath,
    args,
    cwd: workspaceRoot(),
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...env },
    logFile: path.join(logFolder, `${name}.log`),
    isReady: async (signal) => (await fetch(`${readyUrl}/health/ready`, { signal })).ok,
  });
}
