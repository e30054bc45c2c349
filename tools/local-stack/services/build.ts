import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { guardProcessGroup, unguardProcessGroup } from '@plimsoll/local-parts';
import type { StackPaths } from '../settings/stack-paths';
import { UsageError } from '../settings/usage-error';

const TIMEOUT_MS = 300_000;

/** Builds every app into dist/apps. Unchanged ones come from the cache. Throws UsageError. */
export async function buildApps({ root, logs }: StackPaths): Promise<void> {
  const logFile = path.join(logs, 'build.log');
  mkdirSync(logs, { recursive: true });
  const log = openSync(logFile, 'w');
  const nx = spawn(process.execPath, [require.resolve('nx/bin/nx.js'), 'run-many', '-t', 'build'], {
    cwd: root,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      NX_DAEMON: 'false',
      NX_TUI: 'false',
      NX_ISOLATE_PLUGINS: 'false',
      FORCE_COLOR: '0',
    },
    timeout: TIMEOUT_MS,
    detached: true,
  });
  closeSync(log);
  const { pid } = nx;
  if (pid !== undefined) guardProcessGroup(pid);
  const code = await new Promise<number | null>((resolve, reject) => {
    nx.once('error', reject);
    nx.once('exit', resolve);
  }).finally(() => pid !== undefined && unguardProcessGroup(pid));
  if (code === 0) return;
  const firstError = readFileSync(logFile, 'utf8')
    .split('\n')
    .find((line) => /error/i.test(line));
  throw new UsageError(
    `the build failed${firstError ? `: ${firstError.trim()}` : ''}`,
    `See ${path.relative(root, logFile)}, or run \`npm run build\``,
  );
}
