import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const RUN_PART = path.join(__dirname, '../../../../tools/run-part.cjs');

/** Starts the server and kills it with -9 after this time, ready or not. Resolves when it has ended. */
export async function killedStart(dataDir: string, port: number, afterMs: number): Promise<void> {
  const args = [RUN_PART, 'local-redis', '--data-dir', dataDir, '--port', String(port)];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  await delay(afterMs);
  child.kill('SIGKILL');
  await exited;
}
