import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { treeState } from './built-tree';
import { runToLog } from '../processes/run-to-log';
import { readJsonFile, writeJsonFile } from '../settings/json-file';
import type { StackPaths } from '../settings/stack-paths';
import { UsageError } from '../settings/usage-error';

const TIMEOUT_MS = 300_000;

/**
 * Builds every app into dist/apps. Unchanged ones come from the cache of Nx. The build does not run when no file has
 * changed since the last one, because Nx takes three seconds of CPU to find that. Throws UsageError.
 */
export async function buildApps(paths: StackPaths): Promise<void> {
  const kept = path.join(paths.cache, 'built.json');
  const before = treeState(paths.root);
  if (isDeepStrictEqual(readJsonFile(kept), before)) return;
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
  if (code === 0) {
    // The sources of before: the build may not have an edit that was made meanwhile.
    writeJsonFile(kept, { ...treeState(paths.root), sources: before.sources });
    return;
  }
  const firstError = readFileSync(logFile, 'utf8')
    .split('\n')
    .find((line) => /error/i.test(line));
  throw new UsageError(
    `the build failed${firstError ? `: ${firstError.trim()}` : ''}`,
    `See ${path.relative(paths.root, logFile)}, or run \`npm run build\``,
  );
}
