import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { packageFolders, requestedPackages } from './runtime-packages';

/** Files that no program loads. Licences stay. */
const UNUSED = /\.(map|ts|mts|cts|flow)$|(?<!licen[cs]e|copying|notice)\.(md|markdown)$/i;
/** Prisma's query compilers of other databases, 60 MB. */
const OTHER_DATABASES = /@prisma\/client\/runtime\/.*\.(mysql|sqlite|sqlserver|cockroachdb)\./;

/** The most that the packages of an app may take. */
export const MOST_PACKAGE_BYTES = 120e6;

/** The content of an image, in bytes. */
export interface ImageTree {
  app: string;
  packages: number;
  packageBytes: number;
  /** The bundle with its migrations and pages. */
  appBytes: number;
}

/** It starts the other services with a node and contracts, which are development packages, so its image has all packages. */
const SANDBOX = 'sandbox';

/** The apps with an image tree: those that are built as services, but not the sandbox. */
export function imageApps(root: string): string[] {
  const apps = path.join(root, 'dist/apps');
  if (!existsSync(apps)) throw new Error(`${apps} is missing. Run npm run build first.`);
  return readdirSync(apps)
    .filter((app) => app !== SANDBOX && existsSync(path.join(apps, app, 'main.js')))
    .sort();
}

/**
 * Writes the files of an app's image: `app/main.js` and what it needs beside it, and `node_modules` with its production
 * packages only. Every file is read-only.
 * @param root the repository, built
 * @param out replaced if it exists
 * @throws when the app is not built, or a package is not installed
 */
export function writeImageTree(root: string, app: string, out: string): ImageTree {
  const bundle = path.join(root, 'dist/apps', app);
  if (!existsSync(path.join(bundle, 'main.js')))
    throw new Error(`dist/apps/${app}/main.js is missing. Run npm run build first, and check the name.`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  cpSync(bundle, path.join(out, 'app'), { recursive: true });
  const folders = packageFolders(root, requestedPackages(sourcesOf(bundle)));
  for (const folder of folders) copyPackage(root, folder, out);
  const tree = {
    app,
    packages: folders.length,
    packageBytes: sizeOf(path.join(out, 'node_modules')),
    appBytes: sizeOf(path.join(out, 'app')),
  };
  makeReadOnly(out);
  return tree;
}

const sourcesOf = (bundle: string): string =>
  readdirSync(bundle)
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(path.join(bundle, file), 'utf8'))
    .join('\n');

/** Its own files. Packages inside of it are folders of their own. */
function copyPackage(root: string, folder: string, out: string): void {
  const source = path.join(root, folder);
  const nested = path.join(source, 'node_modules');
  cpSync(source, path.join(out, folder), {
    recursive: true,
    filter: (file) => file !== nested && !UNUSED.test(file) && !OTHER_DATABASES.test(file),
  });
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

function makeReadOnly(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) makeReadOnly(place);
    else if (entry.isFile()) chmodSync(place, statSync(place).mode & 0o111 ? 0o555 : 0o444);
  }
  chmodSync(folder, 0o555);
}
