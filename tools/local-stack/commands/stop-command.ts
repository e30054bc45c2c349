import { rmSync } from 'node:fs';
import { descendantsOf, listProcesses, pollUntil, signalProcess, stillRunning } from '@plimsoll/local-parts';
import { isSameProcess, readRunState } from '../processes/run-state';
import type { Print } from '../processes/progress';
import type { StackPaths } from '../settings/stack-paths';

const LAUNCHER_TIMEOUT_MS = 40_000;
const LEFTOVER_TIMEOUT_MS = 10_000;

/** Ends the launcher and waits for it, then ends the processes that it left behind. */
export async function runStop(paths: StackPaths, print: Print): Promise<void> {
  const state = readRunState(paths.runFile);
  if (!state) {
    print('Nothing is running.');
    return;
  }
  if (await isSameProcess(state.launcher)) {
    const { pid } = state.launcher;
    signalProcess(pid, 'SIGTERM');
    const isGone = await pollUntil(async () => !(await isSameProcess(state.launcher)), {
      timeoutMs: LAUNCHER_TIMEOUT_MS,
    });
    if (!isGone) signalProcess(pid, 'SIGKILL');
  }
  const leftovers = await endLeftovers(paths);
  print(
    leftovers === 0
      ? 'Stopped.'
      : `Stopped, with ${leftovers} processes that a killed launcher had left behind.`,
  );
}

/**
 * Ends every process that run.json names and that is still the one it named: a clean signal first, then SIGKILL with
 * all descendants. Returns how many there were.
 */
export async function endLeftovers(paths: StackPaths): Promise<number> {
  const state = readRunState(paths.runFile);
  if (!state) return 0;
  const entries = await Promise.all(
    state.entries.map(async (entry) => ((await isSameProcess(entry)) ? [entry.pid as number] : [])),
  );
  const pids = entries.flat();
  const table = await listProcesses();
  const all = pids.flatMap((pid) => [pid, ...descendantsOf(pid, table)]);
  for (const pid of pids) signalProcess(pid, 'SIGINT');
  const areGone = await pollUntil(async () => (await stillRunning(all)).length === 0, {
    timeoutMs: LEFTOVER_TIMEOUT_MS,
  });
  if (!areGone) for (const pid of await stillRunning(all)) signalProcess(pid, 'SIGKILL');
  rmSync(paths.runFile, { force: true });
  return pids.length;
}

/** Stops the stack and removes its files; the downloads only with `all`. */
export async function runReset(paths: StackPaths, all: boolean, print: Print): Promise<void> {
  await runStop(paths, print);
  const { data, logs, demoFile, secretsFile, identityKeys, cache } = paths;
  for (const target of [data, logs, demoFile, secretsFile, identityKeys, ...(all ? [cache] : [])]) {
    rmSync(target, { recursive: true, force: true });
  }
  print(
    all
      ? 'Data, logs, keys and downloads are removed.'
      : 'Data, logs and keys are removed; the downloads stay.',
  );
}
