import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Prefixes of import paths and their replacements, longest first. */
export type Remappings = Readonly<Record<string, string>>;

const IMPORT = /^\s*import\s+(?:[^'";]*?\sfrom\s+)?["']([^"']+)["']/gm;

/**
 * The entry files with all their imports, by the compiler's names: a path under the repository's
 * test/contracts, or `package/path`. They are read here and not by the compiler, so that a hash over them
 * identifies the output. A remapped import has the name of its file, so that a file with two names is one source.
 * @param folders where names are resolved, in order
 * @throws naming the missing file of an import
 */
export function collectSources(
  entries: readonly string[],
  folders: readonly string[],
  remappings: Remappings,
): Record<string, string> {
  const sources: Record<string, string> = {};
  const remapped = (name: string): string => remap(name, remappings);
  const open = entries.map(remapped);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (sources[name] !== undefined) continue;
    const content = readSource(name, folders);
    sources[name] = content;
    for (const [, target = ''] of content.matchAll(IMPORT)) {
      open.push(remapped(target.startsWith('.') ? normalize(join(dirname(name), target)) : target));
    }
  }
  return Object.fromEntries(Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function remap(name: string, remappings: Remappings): string {
  const prefix = Object.keys(remappings)
    .sort((a, b) => b.length - a.length)
    .find((each) => name.startsWith(each));
  return prefix === undefined ? name : `${remappings[prefix]}${name.slice(prefix.length)}`;
}

function readSource(name: string, folders: readonly string[]): string {
  const path = folders.map((folder) => join(folder, name)).find((each) => existsSync(each));
  if (!path)
    throw new Error(`Solidity source ${name} does not exist: install its package or correct the import`);
  return readFileSync(path, 'utf8');
}
