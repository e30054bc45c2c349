import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, fchmodSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Print } from '../processes/progress';
import type { StackPaths } from '../settings/stack-paths';

/** The messages from a detached launcher to the command that started it. */
export type LauncherMessage = { line: string } | { isReady: true };

/**
 * Starts the launcher in the background, prints its lines until it is ready or has ended. Returns the exit code.
 * @param flags further arguments of the launcher's start
 */
export async function runDetached(
  paths: StackPaths,
  flags: readonly string[],
  print: Print,
): Promise<number> {
  const logFile = path.join(paths.logs, 'launcher.log');
  mkdirSync(paths.logs, { recursive: true });
  const log = openSync(logFile, 'w', 0o600);
  // Also for a log of an earlier version. It contains the keys of the demo accounts.
  fchmodSync(log, 0o600);
  const launcher = spawn(process.execPath, [path.join(__dirname, '../bin.cjs'), 'start', ...flags], {
    cwd: paths.root,
    env: { ...process.env, MALLOC_ARENA_MAX: '1' },
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const stopWithUs = (): void => void launcher.kill('SIGTERM');
  process.once('SIGINT', stopWithUs).once('SIGTERM', stopWithUs);

  return new Promise((resolve) => {
    launcher.once('exit', (code) => resolve(code ?? 1));
    launcher.on('message', (message: LauncherMessage) => {
      if ('line' in message) return print(message.line);
      launcher.disconnect();
      launcher.unref();
      print(
        `Runs in the background (log: ${path.relative(paths.root, logFile)}). \`npm run status\` shows it, \`npm stop\` ends it.`,
      );
      resolve(0);
    });
  });
}

/** Prints the launcher's lines: to the command that detached it while that listens, and to its own output. */
export function launcherPrint(line: string): void {
  console.log(line);
  notifyParent({ line });
}

/** Notifies the command that detached this launcher, if there is one. */
export function notifyParent(message: LauncherMessage): void {
  // The parent may exit at any time. The launcher continues.
  if (process.connected) process.send?.(message, () => undefined);
}
