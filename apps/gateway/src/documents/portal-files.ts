import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type Compressed, ServedFile } from './served-file';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};
/** The build puts a hash of the content into the names of these files. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

const BUNDLED = path.join(__dirname, 'portal');
/** The build of the portal, when the gateway runs from source. */
const BUILT = path.join(__dirname, '../../../../dist/apps/portal');

/** Returns every file of the portal by its path below /portal. */
export function readPortalFiles(): ReadonlyMap<string, ServedFile> {
  const folder = existsSync(BUNDLED) ? BUNDLED : BUILT;
  const served = new Map<string, ServedFile>();
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  for (const name of names) {
    const type = TYPES[path.extname(name)];
    if (!type) continue;
    const file = path.join(folder, name);
    const address = name.split(path.sep).join('/');
    const cacheControl = address.startsWith('assets/') ? IMMUTABLE : 'no-cache';
    served.set(address, new ServedFile(type, readFileSync(file), cacheControl, compressedOf(file)));
  }
  if (!served.has('index.html')) throw new Error('The portal is missing. Build again: npm run build');
  return served;
}

function compressedOf(file: string): Compressed {
  const encodings = [
    { encoding: 'br' as const, name: `${file}.br` },
    { encoding: 'gzip' as const, name: `${file}.gz` },
  ];
  return encodings
    .filter(({ name }) => existsSync(name))
    .map(({ encoding, name }) => ({ encoding, body: readFileSync(name) }));
}
