import { existsSync } from 'node:fs';
import path from 'node:path';

/** The file and options that start a worker thread. */
export interface WorkerFile {
  file: string;
  execArgv: string[];
}

/**
 * Returns the worker thread's file: the bundle beside main.js, or the source when the service runs from
 * source.
 * @param folder folder of main
 */
export function workerFile(folder: string): WorkerFile {
  const built = path.join(folder, 'worker.js');
  return existsSync(built)
    ? { file: built, execArgv: [] }
    : { file: path.join(folder, 'worker.ts'), execArgv: ['--require', '@swc-node/register'] };
}
