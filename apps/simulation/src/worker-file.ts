import { existsSync } from 'node:fs';
import path from 'node:path';

/** How a thread is started: the bundle beside main.js, or, when the service runs from source, the source. */
export function workerFile(): { file: string; execArgv: string[] } {
  const built = path.join(__dirname, 'worker.js');
  return existsSync(built)
    ? { file: built, execArgv: [] }
    : { file: path.join(__dirname, 'worker.ts'), execArgv: ['--require', '@swc-node/register'] };
}
