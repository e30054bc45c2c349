import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './run-command';

/**
 * The folder `<cacheDir>/<name>`, filled once by `fill`. Several processes may do this in parallel: each
 * fills its own folder, and the first rename wins.
 */
export async function ensureCached(
  cacheDir: string,
  name: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const target = path.join(cacheDir, name);
  if (existsSync(target)) return target;
  await mkdir(cacheDir, { recursive: true });
  const filling = await mkdtemp(path.join(cacheDir, `${name}.filling-`));
  try {
    await fill(filling);
    await rename(filling, target);
  } catch (error) {
    await rm(filling, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

const DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

/**
 * Runs one goal of Maven's dependency plugin with `folder` as its output. `ifMissing` is the next step
 * without Maven.
 */
export async function copyFromMaven(
  goal: 'copy-dependencies' | 'unpack',
  args: readonly string[],
  folder: string,
  ifMissing: string,
): Promise<void> {
  await runCommand({
    file: 'mvn',
    args: ['--batch-mode', '--quiet', `${DEPENDENCY_PLUGIN}:${goal}`, ...args, `-DoutputDirectory=${folder}`],
    cwd: folder,
    timeoutMs: 300_000,
    ifMissing,
  });
}
