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
  const root = workspaceRoot();
  return startNodeServer(name, port, ['-r', '@swc-node/register', path.join(__dirname, file)], logFolder, {
    SWC_NODE_PROJECT: path.join(root, 'tsconfig.json'),
    ...env,
  });
}

/**
 * Starts a built app. Arguments and environment are those of production, without the local stack's small
 * heaps.
 */
export function startBuiltApp(
  name: string,
  port: number,
  app: string,
  logFolder: string,
  env: Record<string, string>,
): Promise<RunningPart> {
  return startNodeServer(name, port, [`dist/apps/${app}/main.js`], logFolder, env);
}

function startNodeServer(
  name: string,
  port: number,
  args: string[],
  logFolder: string,
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
    isReady: async (signal) => (await fetch(`${url}/health/ready`, { signal })).ok,
  });
}
