import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { findFreePort, keepPort, workspaceRoot } from '@plimsoll/local-parts';
import { waitFor } from './wait-for';

/** A service in a separate process, so that it can be killed. */
export interface ServiceProcess {
  /** The origin of its operations server. */
  operationsUrl: string;
  /** Its whole standard output and error. */
  logs(): string;
  /** Ends it by a signal and resolves with its exit code. Null after SIGKILL. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/**
 * Starts a service from its build, which `npm test` has just made, and otherwise from its sources. A build starts with
 * less than half of the CPU.
 * @param app folder below apps/, or the path of another main file
 * @param environment all of its variables, PORT included
 * @param until `ready`: it consumes too; `live`: it responds, which a killed consumer's session does not
 * delay
 * @throws with its output when it does not start
 */
export async function startProcess(
  app: string,
  environment: Readonly<Record<string, string>>,
  until: 'ready' | 'live' = 'ready',
): Promise<ServiceProcess> {
  const root = workspaceRoot();
  const operationsPort = await findFreePort();
  const child: ChildProcess = spawn(process.execPath, programOf(root, app), {
    cwd: root,
    env: { ...compileCache(), ...environment, OPERATIONS_PORT: String(operationsPort) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const logs = (): string => Buffer.concat(chunks).toString();
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const responds = async (port: string | number | undefined, page: string): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${port}/health/${page}`)).status === 200;
  try {
    await waitFor(
      async () =>
        (await responds(environment['PORT'], 'live')) &&
        (until === 'live' || (await responds(operationsPort, 'ready'))),
      { timeoutMs: 60_000, message: `${app} is ${until}` },
    );
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${(error as Error).message}:\n${logs()}`, { cause: error });
  }
  return {
    operationsUrl: `http://127.0.0.1:${operationsPort}`,
    logs,
    end: (signal) => {
      keepPort(Number(environment['PORT']));
      child.kill(signal);
      return exit;
    },
  };
}

function programOf(root: string, app: string): string[] {
  if (path.isAbsolute(app)) return ['-r', '@swc-node/register', app];
  if (process.env['TEST_SERVICES'] === 'built') return [path.join(root, 'dist/apps', app, 'main.js')];
  return ['-r', '@swc-node/register', path.join(root, 'apps', app, 'src/main.ts')];
}

/** Where Node keeps compiled code for the next start, if it does. */
function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
