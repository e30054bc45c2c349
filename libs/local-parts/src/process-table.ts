import { readdir, readFile } from 'node:fs/promises';
import { runCommand } from './run-command';

/** A process of this machine. */
export interface ProcessEntry {
  pid: number;
  parentPid: number;
  /** Ended, but not yet collected by its parent. */
  isZombie: boolean;
  /** When it started, in a unit of the platform. It distinguishes two processes that had the same pid. */
  startedAt: string;
  /** CPU time in milliseconds since its start. */
  cpuMs: number;
  /** Resident memory in MB. */
  memoryMb: number;
}

const TABLE_DEADLINE_MS = 20_000;
/** Linux counts CPU time in ticks of 10 ms on every platform that Node supports. */
const TICK_MS = 10;
const MB = 1_048_576;

/**
 * Returns every process that this user may see: from /proc on Linux, PowerShell on Windows, ps elsewhere.
 * @throws PartError when the program of the platform is missing
 */
export async function listProcesses(platform: NodeJS.Platform = process.platform): Promise<ProcessEntry[]> {
  if (platform === 'linux') return listFromProc();
  if (platform === 'win32') return parsePowerShell(await runPowerShell());
  return parsePs(await runPs());
}

/** Returns one process, or undefined when it does not run. */
export async function findProcess(pid: number): Promise<ProcessEntry | undefined> {
  if (process.platform === 'linux') return readFromProc(pid);
  return (await listProcesses()).find((entry) => entry.pid === pid);
}

async function listFromProc(): Promise<ProcessEntry[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(names.map((name) => readFromProc(Number(name))));
  return entries.filter((entry) => entry !== undefined);
}

async function readFromProc(pid: number): Promise<ProcessEntry | undefined> {
  try {
    const [stat, status] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
    ]);
    return parseProc(stat, status);
  } catch {
    return undefined;
  }
}

/** Parses /proc/PID/stat and /proc/PID/status. */
export function parseProc(stat: string, status: string): ProcessEntry {
  // The name in parentheses may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parentPid] = fields;
  const residentKb = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? '0';
  return {
    pid: Number.parseInt(stat, 10),
    parentPid: Number(parentPid),
    isZombie: state === 'Z' || state === 'X',
    startedAt: fields[19] ?? '',
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    memoryMb: Number(residentKb) / 1_024,
  };
}

function runPs(): Promise<string> {
  return runCommand({
    file: 'ps',
    args: ['-A', '-o', 'pid=,ppid=,stat=,time=,rss=,lstart='],
    timeoutMs: TABLE_DEADLINE_MS,
    ifMissing: 'Put ps on the PATH',
  });
}

/** Parses `ps -A -o pid=,ppid=,stat=,time=,rss=,lstart=`. */
export function parsePs(table: string): ProcessEntry[] {
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns.length > 5)
    .map(([pid, parentPid, stat = '', time = '', rss, ...start]) => ({
      pid: Number(pid),
      parentPid: Number(parentPid),
      isZombie: stat.startsWith('Z'),
      startedAt: start.join(' '),
      cpuMs: 1_000 * secondsOf(time),
      memoryMb: Number(rss) / 1_024,
    }));
}

/** `[days-][hours:]minutes:seconds` */
function secondsOf(time: string): number {
  const [rest = '', days = '0'] = time.split('-').reverse();
  return rest.split(':').reduce((total, part) => total * 60 + Number(part), 0) + Number(days) * 86_400;
}

function runPowerShell(): Promise<string> {
  const query =
    'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.WorkingSetSize) $($_.UserModeTime) $($_.KernelModeTime) $($_.CreationDate.Ticks)" }';
  return runCommand({
    file: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-Command', query],
    timeoutMs: TABLE_DEADLINE_MS,
    ifMissing: 'Put powershell.exe on the PATH',
  });
}

/** Parses lines of pid, parent, bytes of memory, user and kernel time in 100 ns, and start in 100 ns. */
export function parsePowerShell(lines: string): ProcessEntry[] {
  return lines
    .split(/\r?\n/)
    .map((line) => line.trim().split(' '))
    .filter((columns) => columns.length >= 5)
    .map(([pid, parentPid, bytes, user, kernel, startedAt = '']) => ({
      pid: Number(pid),
      parentPid: Number(parentPid),
      isZombie: false,
      startedAt,
      cpuMs: (Number(user) + Number(kernel)) / 10_000,
      memoryMb: Number(bytes) / MB,
    }));
}

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
