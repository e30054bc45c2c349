import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort, workspaceRoot } from '@plimsoll/local-parts';

const execFileAsync = promisify(execFile);
const COMMAND_DEADLINE_MS = 600_000;

/** A clone of HEAD with its packages, as a first user has it. */
export interface CloneOfHead {
  path: string;
  /** Runs npm there on embedded parts, and returns its standard output. @throws when it fails or takes ten minutes */
  npm(...words: string[]): Promise<string>;
  /** Removes everything that git does not know except node_modules: builds, caches, generated code, data. */
  removeAllButPackages(): Promise<void>;
  /** Stops what runs there, and removes it. */
  remove(): Promise<void>;
}

/** Clones HEAD and installs its packages. */
export async function cloneOfHead(): Promise<CloneOfHead> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-clone-'));
  // Postgres, started as root, runs as another user, which must be able to read the clone.
  chmodSync(folder, 0o755);
  const clone = path.join(folder, 'clone');
  // First users start embedded parts, so the benches of a clone do not use the genuine ones.
  const env = { ...process.env, LOCAL_PARTS: 'embedded', PORT: String(await findFreePort()) };
  const options = { cwd: clone, env, timeout: COMMAND_DEADLINE_MS, maxBuffer: 1e8 };
  const npm = async (...words: string[]): Promise<string> =>
    (await execFileAsync('npm', words, options)).stdout;
  const remove = async (): Promise<void> => {
    await npm('stop').catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await execFileAsync('git', ['clone', '--quiet', workspaceRoot(), clone]);
    process.stderr.write('npm ci\n');
    await npm('ci', '--no-progress');
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    path: clone,
    npm,
    removeAllButPackages: async () => {
      await execFileAsync('git', ['clean', '-fdxq', '-e', 'node_modules'], { cwd: clone });
    },
    remove,
  };
}
