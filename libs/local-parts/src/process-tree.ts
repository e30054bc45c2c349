import { listProcesses, type ProcessEntry } from './process-table';

/** Returns the children of `pid`, their children, and so on, without `pid` itself. */
export function descendantsOf(pid: number, processes: readonly ProcessEntry[]): number[] {
  const children = processes.filter((entry) => entry.parentPid === pid).map((entry) => entry.pid);
  return children.flatMap((child) => [child, ...descendantsOf(child, processes)]);
}

/** Returns those of `pids` that still run. */
export async function stillRunning(pids: readonly number[]): Promise<number[]> {
  const running = new Set(
    (await listProcesses()).filter((entry) => !entry.isZombie).map((entry) => entry.pid),
  );
  return pids.filter((pid) => running.has(pid));
}

/** Sends a signal. A process that has already ended is not an error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
