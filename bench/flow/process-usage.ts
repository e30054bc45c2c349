import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc/<pid>/stat. It is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU time of a process so far, user and system, in milliseconds. Linux only. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

/** Resident memory of a process in MB. Linux only. */
export function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kb) / 1_024);
}
