import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { waitFor } from '@plimsoll/testing';

const ROOT = join(__dirname, '../../..');

/** The service in a process of its own, so that it can be killed. */
export interface ServiceProcess {
  /** All that it wrote to standard output and error. */
  logs(): string;
  /** Ends it by a signal and resolves with its exit code; null after SIGKILL. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

/** Starts it from its sources and waits until it consumes. */
export async function startProcess(environment: Record<string, string>): Promise<ServiceProcess> {
  const port = environment['PORT'] ?? '';
  const child: ChildProcess = spawn(
    process.execPath,
    ['-r', '@swc-node/register', join(__dirname, '../src/main.ts')],
    { cwd: ROOT, env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const logs = (): string => Buffer.concat(chunks).toString();
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  try {
    await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 200, {
      timeoutMs: 60_000,
      message: 'the service is ready',
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${(error as Error).message}:\n${logs()}`, { cause: error });
  }
  return {
    logs,
    end: (signal) => {
      child.kill(signal);
      return exit;
    },
  };
}
