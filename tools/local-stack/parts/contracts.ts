import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { guardProcessGroup, unguardProcessGroup } from '@plimsoll/local-parts';
import type { StackPaths } from '../settings/stack-paths';
import { UsageError } from '../settings/usage-error';

const TIMEOUT_MS = 180_000;
let compiling: Promise<void> | undefined;

/**
 * Compiles the contracts of the market beside the other steps, once for all chains. It is a process of its own, because
 * the compiler takes much memory and the launcher runs for days. @throws UsageError
 */
export function compileContracts(paths: StackPaths): Promise<void> {
  compiling ??= runCompiler(paths);
  // A caller waits for it later, and by then its failure must not have ended the process.
  compiling.catch(() => undefined);
  return compiling;
}

async function runCompiler({ root, logs }: StackPaths): Promise<void> {
  const logFile = path.join(logs, 'contracts.log');
  mkdirSync(logs, { recursive: true });
  const log = openSync(logFile, 'w');
  const compiler = spawn(process.execPath, [path.join(root, 'tools/compile-contracts.cjs')], {
    cwd: root,
    stdio: ['ignore', log, log],
    timeout: TIMEOUT_MS,
    detached: true,
  });
  closeSync(log);
  const { pid } = compiler;
  if (pid !== undefined) guardProcessGroup(pid);
  const code = await new Promise<number | null>((resolve, reject) => {
    compiler.once('error', reject);
    compiler.once('exit', resolve);
  }).finally(() => pid !== undefined && unguardProcessGroup(pid));
  if (code !== 0)
    throw new UsageError(
      'the contracts do not compile',
      `See ${path.relative(root, logFile)}, and run npm ci`,
    );
}
