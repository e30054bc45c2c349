import { createHash } from 'node:crypto';
import { readdirSync, statSync, type Dirent } from 'node:fs';
import path from 'node:path';

/** Everything that the build reads or writes is below these folders, or a file of the root. */
const FOLDERS = ['apps', 'contracts', 'dist', 'docs', 'libs', 'tools'];
const WRITTEN = /^dist[\\/]|[\\/]generated[\\/]/;

/** Two digests of names, sizes and times of files. They change with the files, and no file is read for them. */
export interface TreeState {
  /** Of what the build reads. */
  sources: string;
  /** Of what the build writes. */
  outputs: string;
}

/** Returns the state of a checkout. It takes some 100 ms for 5,000 files. */
export function treeState(root: string): TreeState {
  const sources = createHash('sha256');
  const outputs = createHash('sha256');
  for (const file of filesOf(root)) {
    const stat = statSync(path.join(root, file), { throwIfNoEntry: false });
    if (stat === undefined) continue;
    const digest = WRITTEN.test(file) ? outputs : sources;
    digest.update(`${file}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
  return { sources: sources.digest('hex'), outputs: outputs.digest('hex') };
}

function filesOf(root: string): string[] {
  const entries = [
    ...readdirSync(root, { withFileTypes: true }),
    ...FOLDERS.flatMap((folder) => recursive(path.join(root, folder))),
  ];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

function recursive(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
