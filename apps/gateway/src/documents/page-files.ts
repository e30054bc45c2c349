import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ServedFile } from './served-file';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

const BUNDLED = path.join(__dirname, 'docs-page');
/**
 * When the gateway runs from source, its own files and the pages of tools/docs-site are still in two folders
 * (rspack.config.cjs).
 */
const SOURCES = [path.join(__dirname, '../../docs-page'), path.join(__dirname, '../../../../dist/docs-site')];

/** Returns every file below /docs by its path. Pages have no ending in their path, and `index` is the first page. */
export function readPageFiles(): ReadonlyMap<string, ServedFile> {
  const files = (existsSync(BUNDLED) ? [BUNDLED] : SOURCES).flatMap(filesOf);
  const served = new Map<string, ServedFile>();
  for (const { folder, name } of files) {
    const type = TYPES[path.extname(name)];
    if (!type) continue;
    const address = name
      .split(path.sep)
      .join('/')
      .replace(/\.html$/, '');
    served.set(address, new ServedFile(type, readFileSync(path.join(folder, name))));
  }
  if (!served.has('index')) throw new Error('The documentation is missing. Build again: npm run build');
  return served;
}

function filesOf(folder: string): { folder: string; name: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => ({ folder, name }));
}
