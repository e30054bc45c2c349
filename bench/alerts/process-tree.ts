import { readFileSync, readdirSync } from 'node:fs';
import { cpuMs } from '../flow/process-usage';

/** CPU time so far of a process and of all it has started that still run, in milliseconds. Linux only. */
export function processTreeCpuMs(root: number): number {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const parent = parentOf(pid);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const sum = (pid: number): number =>
    safeCpuMs(pid) + (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0);
  return sum(root);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

/** 0 for a process that has ended meanwhile. */
function safeCpuMs(pid: number): number {
  try {
    return cpuMs(pid);
  } catch {
    return 0;
  }
}
