import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** Types have no code. */
const TYPES = '@types/';

/** The packages that a bundle loads by name, in alphabetical order. Built-in modules and relative files are left out. */
export function requestedPackages(bundle: string): string[] {
  const requests = [...bundle.matchAll(/\b(?:require|import)\(\s*["']([^"']+)["']\s*\)/g)].map(
    ([, request]) => request!,
  );
  const names = requests.filter((request) => !/^(\.|\/|node:)/.test(request)).map(packageOf);
  return [...new Set(names)].filter((name) => !builtinModules.includes(name)).sort();
}

const packageOf = (request: string): string =>
  request
    .split('/')
    .slice(0, request.startsWith('@') ? 2 : 1)
    .join('/');

/**
 * The folders of the packages and of everything that they declare: dependencies, optional ones that are installed, and
 * peers that they do not call optional. Relative to the root, in alphabetical order.
 * @param root the folder with node_modules
 * @throws when a package that is not optional is not installed
 */
export function packageFolders(root: string, names: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (from: string, name: string, isOptional: boolean): void => {
    if (name.startsWith(TYPES)) return;
    const folder = resolve(root, from, name);
    if (folder === null && !isOptional)
      throw new Error(
        `${name}, which ${from === '' ? 'a bundle' : from} needs, is not installed. Run npm ci first.`,
      );
    if (folder === null || found.has(folder)) return;
    found.add(folder);
    const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Manifest;
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
    for (const each of Object.keys(dependencies ?? {}))
      add(folder, each, each in (optionalDependencies ?? {}));
    for (const each of Object.keys(optionalDependencies ?? {})) add(folder, each, true);
    for (const each of Object.keys(peerDependencies ?? {}))
      if (!peerDependenciesMeta?.[each]?.optional) add(folder, each, false);
  };
  for (const name of names) add('', name, false);
  return [...found].sort();
}

/** As Node does: the folder of the package itself, then each folder above it. */
function resolve(root: string, from: string, name: string): string | null {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const place = path.join(folder, 'node_modules', name);
    if (existsSync(path.join(root, place, 'package.json'))) return place;
    if (folder === '' || folder === '.') return null;
  }
}
