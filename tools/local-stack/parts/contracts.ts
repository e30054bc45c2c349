import path from 'node:path';
import { runToLog } from '../processes/run-to-log';
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

async function runCompiler(paths: StackPaths): Promise<void> {
  const script = path.join(paths.root, 'tools/compile-contracts.cjs');
  const { code, logFile } = await runToLog(paths, {
    name: 'contracts',
    args: [script],
    timeoutMs: TIMEOUT_MS,
  });
  if (code !== 0)
    throw new UsageError(
      'the contracts do not compile',
      `See ${path.relative(paths.root, logFile)}, and run npm ci`,
    );
}
