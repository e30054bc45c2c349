import { spawn, type ChildProcess } from 'node:child_process';
import { pollUntil } from './poll-until';
import { descendantsOf, listProcesses, signalProcess, stillRunning } from './process-tree';

// Each line on its standard input is the whole list of process groups to end when that input closes, which the kernel
// does for us even when this process is killed with -9.
const SCRIPT = `
live=""
while read -r line; do live="$line"; done
for pid in $live; do kill -TERM "-$pid"; done
tries=0
while [ $tries -lt 50 ]; do
  left=""
  for pid in $live; do kill -0 "-$pid" && left="$left $pid"; done
  [ -z "$left" ] && exit 0
  sleep 0.1
  tries=$((tries + 1))
done
for pid in $left; do kill -KILL "-$pid"; done
`;

const guarded = new Set<number>();
let guard: ChildProcess | undefined;

/** Ends this process group when our own process ends without having stopped it: tests interrupted, a launcher killed. */
export function guardProcessGroup(pid: number): void {
  guarded.add(pid);
  tellGuard();
}

/** Forgets a process group that has ended, so that a reused id is never hit. */
export function unguardProcessGroup(pid: number): void {
  if (guarded.delete(pid)) tellGuard();
}

/** Ends every guarded process that still runs, with its descendants: cleanly, then after `timeoutMs` with SIGKILL. */
export async function endGuardedProcesses(timeoutMs = 3_000): Promise<void> {
  const table = await listProcesses();
  const pids = [...guarded].flatMap((pid) => [pid, ...descendantsOf(pid, table)]);
  for (const pid of pids) signalProcess(pid, 'SIGTERM');
  const areGone = await pollUntil(async () => (await stillRunning(pids)).length === 0, { timeoutMs });
  if (!areGone) for (const pid of await stillRunning(pids)) signalProcess(pid, 'SIGKILL');
}

function tellGuard(): void {
  guard ??= startGuard();
  guard.stdin?.write(`${[...guarded].join(' ')}\n`);
}

function startGuard(): ChildProcess {
  // Detached: a Ctrl-C in the terminal must not end the guard before it has done its work.
  const child = spawn('sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}
