import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runToLog } from '../processes/run-to-log';
import type { StackPaths } from '../settings/stack-paths';
import { UsageError } from '../settings/usage-error';

const TIMEOUT_MS = 300_000;

/** Builds every app into dist/apps. Unchanged ones come from the cache. Throws UsageError. */
export async function buildApps(paths: StackPaths): Promise<void> {
  const { code, logFile } = await runToLog(paths, {
    name: 'build',
    args: [require.resolve('nx/bin/nx.js'), 'run-many', '-t', 'build'],
    env: {
      ...process.env,
      NX_DAEMON: 'false',
      NX_TUI: 'false',
      NX_ISOLATE_PLUGINS: 'false',
      FORCE_COLOR: '0',
    },
    timeoutMs: TIMEOUT_MS,
  });
  if (code === 0) return;
  const firstError = readFileSync(logFile, 'utf8')
    .split('\n')
    .find((line) => /error/i.test(line));
  throw new UsageError(
    `the build failed${firstError ? `: ${firstError.trim()}` : ''}`,
    `See ${path.relative(paths.root, logFile)}, or run \`npm run build\``,
  );
}
