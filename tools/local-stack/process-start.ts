import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

/** When a process started, in whatever unit this system has; undefined when it does not run (any more). */
export async function processStart(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

/** True when the pid still belongs to the process that was recorded, and not to a later one with the same number. */
export async function isSameProcess({
  pid,
  startedAt,
}: {
  pid?: number;
  startedAt?: string;
}): Promise<boolean> {
  return pid !== undefined && startedAt !== undefined && (await processStart(pid)) === startedAt;
}

// The lstart of ps is off by a second now and then on Linux, which would make a process look like another one.
async function startFromProc(pid: number): Promise<string | undefined> {
  try {
    const [state, ...fields] = afterName(await readFile(`/proc/${pid}/stat`, 'utf8'));
    return state === 'Z' || state === 'X' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

async function startFromPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await execFileAsync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      timeout: 5_000,
    });
    const [stat = 'Z', ...start] = stdout.trim().split(/\s+/);
    return stat.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}

/** The fields of /proc/<pid>/stat from the state on: the name before it may hold anything. */
export function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
