import { spawn, type ChildProcess } from 'node:child_process';
import { pollUntil } from './poll-until';
import { listProcesses, descendantsOf, signalProcess, stillRunning } from './process-table';

// Each line on its standard input lists the process groups to end when that input closes. The kernel closes
// it even when this process is killed with -9. The PATH of a user may lack sleep.
const SHELL_SCRIPT = `
PATH="$PATH:/bin:/usr/bin"
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

// Windows has no process groups and no signals: taskkill ends each tree immediately.
const WINDOWS_SCRIPT = `
let text = '';
process.stdin.on('data', (data) => (text += data));
process.stdin.on('end', () => {
  const pids = (text.trim().split('\\n').at(-1) ?? '').split(' ').filter(Boolean);
  for (const pid of pids) require('node:child_process').spawnSync('taskkill', ['/pid', pid, '/t', '/f']);
});
`;

const guarded = new Set<number>();
let guard: ChildProcess | undefined;

/**
 * Ends this process group when our own process ends without stopping it, for example when tests are
 * interrupted or a launcher is killed.
 */
export function guardProcessGroup(pid: number): void {
  guarded.add(pid);
  updateGuard();
}

/** Removes a process group that has ended, so that a reused id is never killed. */
export function unguardProcessGroup(pid: number): void {
  if (guarded.delete(pid)) updateGuard();
}

/**
 * Ends every guarded process that still runs, with its descendants: cleanly, then after `timeoutMs` with
 * SIGKILL.
 */
export async function endGuardedProcesses(timeoutMs = 3_000): Promise<void> {
  const table = await listProcesses();
  const pids = [...guarded].flatMap((pid) => [pid, ...descendantsOf(pid, table)]);
  for (const pid of pids) signalProcess(pid, 'SIGTERM');
  const areGone = await pollUntil(async () => (await stillRunning(pids)).length === 0, { timeoutMs });
  if (!areGone) for (const pid of await stillRunning(pids)) signalProcess(pid, 'SIGKILL');
}

function updateGuard(): void {
  guard ??= startGuard();
  guard.stdin?.write(`${[...guarded].join(' ')}\n`);
}

function startGuard(): ChildProcess {
  // Detached: a Ctrl-C in the terminal must not end the guard before it has done its work.
  const [file, args] =
    process.platform === 'win32' ? [process.execPath, ['-e', WINDOWS_SCRIPT]] : ['sh', ['-c', SHELL_SCRIPT]];
  const child = spawn(file, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}
