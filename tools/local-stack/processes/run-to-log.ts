import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { guardProcessGroup, unguardProcessGroup } from '@plimsoll/local-parts';
import type { StackPaths } from '../settings/stack-paths';

interface Script {
  /** The name of its log, without the extension. */
  name: string;
  /** A script for Node and its arguments. */
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  timeoutMs: number;
}

/**
 * Runs a script of this checkout to its end. Its output goes to a log, and it ends with the launcher.
 * @returns the exit code, null after a signal or the timeout; and the log
 */
export async function runToLog(
  { root, logs }: StackPaths,
  { name, args, env = process.env, timeoutMs }: Script,
): Promise<{ code: number | null; logFile: string }> {
  const logFile = path.join(logs, `${name}.log`);
  mkdirSync(logs, { recursive: true });
  const log = openSync(logFile, 'w');
  const script = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', log, log],
    env,
    timeout: timeoutMs,
    detached: true,
  });
  closeSync(log);
  const { pid } = script;
  if (pid !== undefined) guardProcessGroup(pid);
  const code = await new Promise<number | null>((resolve, reject) => {
    script.once('error', reject);
    script.once('exit', resolve);
  }).finally(() => pid !== undefined && unguardProcessGroup(pid));
  return { code, logFile };
}
