import { existsSync } from 'node:fs';
import path from 'node:path';

/** What a thread is started with. */
export interface WorkerFile {
  file: string;
  execArgv: string[];
}

/** The thread of a service: the bundle beside main.js, or, when the service runs from source, the source. @param folder that of main */
export function workerFile(folder: string): WorkerFile {
  const built = path.join(folder, 'worker.js');
  return existsSync(built)
    ? { file: built, execArgv: [] }
    : { file: path.join(folder, 'worker.ts'), execArgv: ['--require', '@swc-node/register'] };
}
