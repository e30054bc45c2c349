import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plimsoll/local-parts';

const run = promisify(execFile);
const DEADLINE = { timeout: 240_000 };

/** A package as a user has it: packed, and installed in an empty folder outside the workspace. */
export interface PackedSdk {
  tarball: string;
  /** The folder of the user, with a package.json and node_modules. */
  user: string;
  remove(): Promise<void>;
}

export const packSdk = (): Promise<PackedSdk> => packPackage('libs/sdk');

/** @param from folder of the package, with a tsdown.config.ts */
export async function packPackage(from: string): Promise<PackedSdk> {
  const root = workspaceRoot();
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-package-'));
  const [source, assembled] = [path.join(root, from), path.join(folder, 'package')];
  const tsdown = path.join(root, 'node_modules/.bin/tsdown');
  await run(tsdown, ['--out-dir', path.join(assembled, 'dist')], { cwd: source, ...DEADLINE });
  for (const file of ['package.json', 'README.md'])
    await cp(path.join(source, file), path.join(assembled, file));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: assembled, ...DEADLINE });
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  const [tarball, user] = [path.join(folder, name ?? ''), path.join(folder, 'user')];
  await mkdir(user);
  await run('npm', ['init', '-y'], { cwd: user, ...DEADLINE });
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: user, ...DEADLINE });
  return { tarball, user, remove: () => rm(folder, { recursive: true, force: true }) };
}
