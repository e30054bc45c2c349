import { rmSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Launcher } from './launcher';
import { ProcessSet } from '../processes/process-set';
import { isSameProcess, processStart, readRunState, RunStateFile } from '../processes/run-state';
import { formatFailure, Progress, type Print } from '../processes/progress';
import type { StackConfig } from '../settings/stack-config';
import type { StackPaths } from '../settings/stack-paths';
import { readStatus } from './status-command';
import { sumOf } from './status-table';
import { endLeftovers } from './stop-command';
import { summary } from '../demo/summary';
import { UsageError } from '../settings/usage-error';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the stack until a signal ends it. `onReady` is called once when every service responds. Returns the
 * exit code.
 */
export async function runStart(
  config: StackConfig,
  paths: StackPaths,
  print: Print,
  onReady: () => void = () => undefined,
): Promise<number> {
  await refuseSecondLauncher(paths);
  await endLeftovers(paths);
  const signalled = nextSignal();
  print('Starting Plimsoll');
  const state = new RunStateFile(paths.runFile, (await processStart(process.pid)) ?? '');
  const progress = new Progress(print);
  const processes = new ProcessSet(state, print);
  const launcher = new Launcher({ config, paths, progress, processes, state });

  const outcome = await Promise.race([
    signalled,
    launcher.start().then(
      async (demo) => {
        const readyMs = progress.elapsedMs;
        const memoryMb = sumOf((await readStatus(paths)) ?? [], 'memoryMb');
        print(summary(demo, readyMs, memoryMb));
        // This process runs for days beside the services. At its start the flag would cost a second of collections.
        setFlagsFromString('--optimize-for-size');
        onReady();
        return signalled;
      },
      (error: unknown) => ({ error }),
    ),
  ]);
  progress.mute();
  if (outcome !== 'signalled') print(`\n${formatFailure(outcome.error)}`);
  print('Stopping');
  await launcher.stop();
  rmSync(paths.runFile, { force: true });
  print('Stopped');
  return outcome === 'signalled' ? 0 : 1;
}

async function refuseSecondLauncher(paths: StackPaths): Promise<void> {
  const state = readRunState(paths.runFile);
  if (state && (await isSameProcess(state.launcher))) {
    throw new UsageError('the stack is already running', 'See `npm run status`, or end it with `npm stop`');
  }
}

/**
 * The first signal starts a clean stop. A second one ends this process, and its guard ends the other
 * processes.
 */
function nextSignal(): Promise<'signalled'> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.once(signal, () => {
        resolve('signalled');
        process.on(signal, () => process.exit(130));
      });
    }
  });
}
