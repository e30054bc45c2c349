import { existsSync } from 'node:fs';
import path from 'node:path';

/** The folder with nx.json, searched upwards from `from`. Throws when there is none. */
export function workspaceRoot(from: string = __dirname): string {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'nx.json'))) return folder;
    if (folder === path.dirname(folder))
      throw new Error(`no nx.json above ${from}: run this inside the workspace`);
  }
}

/** Downloads shared by tests and `npm start`; it survives `npm run reset`. */
export function defaultCacheDir(): string {
  return path.join(workspaceRoot(), '.local/cache');
}
