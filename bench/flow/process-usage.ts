import { readFileSync } from 'node:fs';
import { descendantsOf, listProcesses } from '@plimsoll/local-parts';

/** Clock ticks a second in /proc/<pid>/stat. It is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU time of a process so far, user and system, in milliseconds. Linux only. */
export function cpuMs(pid: number): number {
  return (ticksOf(pid, 2) * 1_000) / TICKS_PER_SECOND;
}

/** CPU time so far of a process, its descendants and those of them that have ended, in milliseconds. Linux only. */
export async function treeCpuMs(pid: number): Promise<number> {
  const descendants = descendantsOf(pid, await listProcesses());
  const ticks = [pid, ...descendants].map((each) => {
    try {
      return ticksOf(each, 4);
    } catch {
      // It has ended since it was listed. Its parent counts it from now on.
      return 0;
    }
  });
  return (ticks.reduce((sum, each) => sum + each, 0) * 1_000) / TICKS_PER_SECOND;
}

/** utime and stime, then cutime and cstime, of the fields from `state` on. */
function ticksOf(pid: number, fieldCount: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 11 + fieldCount).reduce((sum, field) => sum + Number(field), 0);
}

/** Resident memory of a process in MB. Linux only. */
export function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kb) / 1_024);
}
