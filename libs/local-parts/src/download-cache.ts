import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';

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
