import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { findFreePort } from '@plimsoll/local-parts';
import { waitFor } from '@plimsoll/testing';
import type { Instance } from './scenario';

const ROOT = join(__dirname, '../../../..');

/** Starts the built service in its own process and waits until it is ready. */
export async function startInstance(env: Record<string, string>): Promise<Instance> {
  const [port, operationsPort] = [await findFreePort(), await findFreePort()];
  let child: ChildProcess | undefined;
  const end = (signal: 'SIGKILL' | 'SIGTERM'): Promise<unknown> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    const exit = new Promise((resolve) => child?.once('exit', resolve));
    child.kill(signal);
    return exit;
  };
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, ['dist/apps/streams/main.js'], {
      cwd: ROOT,
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        ...env,
        PORT: String(port),
        OPERATIONS_PORT: String(operationsPort),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      await waitFor(
        async () => (await fetch(`http://127.0.0.1:${operationsPort}/health/ready`)).status === 200,
        {
          timeoutMs: 60_000,
          message: 'the instance is ready',
        },
      );
    } catch (error) {
      await end('SIGKILL');
      throw error;
    }
  };
  await start();
  return { url: `ws://127.0.0.1:${port}`, end, start };
}
