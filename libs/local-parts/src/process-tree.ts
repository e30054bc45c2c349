import { runCommand } from './run-command';

/** A line of the process table. */
export interface ProcessEntry {
  pid: number;
  parentPid: number;
  /** Ended, but not yet collected by its parent. */
  isZombie: boolean;
}

/** Every process of this machine that we may see. */
export async function listProcesses(): Promise<ProcessEntry[]> {
  const table = await runCommand({
    file: 'ps',
    args: ['-A', '-o', 'pid=,ppid=,stat='],
    timeoutMs: 10_000,
    ifMissing: 'Install ps (Debian: procps)',
  });
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns.length === 3)
    .map(([pid, parentPid, stat]) => ({
      pid: Number(pid),
      parentPid: Number(parentPid),
      isZombie: stat?.startsWith('Z') ?? false,
    }));
}

/** The children of `pid`, their children, and so on; not `pid` itself. */
export function descendantsOf(pid: number, processes: readonly ProcessEntry[]): number[] {
  const children = processes.filter((entry) => entry.parentPid === pid).map((entry) => entry.pid);
  return children.flatMap((child) => [child, ...descendantsOf(child, processes)]);
}

/** Those of `pids` that still run. */
export async function stillRunning(pids: readonly number[]): Promise<number[]> {
  const running = new Set(
    (await listProcesses()).filter((entry) => !entry.isZombie).map((entry) => entry.pid),
  );
  return pids.filter((pid) => running.has(pid));
}

/** Sends a signal; a process that is already gone is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
