import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

export interface LocalRedisProcess {
  process: ChildProcess;
  url: string;
  pid: number;
}

const READY_MS = 20_000;

/**
 * Starts the local Redis as a process of its own, from source. `options` are those of its command line. Rejects with what it
 * printed when it does not start.
 */
export function startLocalRedisProcess(dataDir: string, ...options: string[]): Promise<LocalRedisProcess> {
  const bin = path.join(__dirname, '../bin.cjs');
  const child = spawn(process.execPath, [bin, '--dir', dataDir, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let errors = '';
    const deadline = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The local Redis was not ready within ${READY_MS} ms. ${errors}`));
    }, READY_MS);
    child.stderr.on('data', (text) => (errors += String(text)));
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(deadline);
      reject(new Error(errors || `The local Redis ended with exit code ${code}.`));
    });
    child.stdout.once('data', (line) => {
      clearTimeout(deadline);
      child.removeAllListeners('exit');
      const { url, pid } = JSON.parse(String(line)) as { url: string; pid: number };
      resolve({ process: child, url, pid });
    });
  });
}

/** Sends a signal and waits until the process is gone; gives its exit code, null when the signal ended it. */
export function stopLocalRedisProcess(
  { process: child }: LocalRedisProcess,
  signal: NodeJS.Signals,
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill(signal);
  });
}
