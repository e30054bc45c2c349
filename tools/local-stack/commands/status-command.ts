import { connect } from 'node:net';
import { isSameProcess, readRunState, type RunEntry, type RunState } from '../processes/run-state';
import { measureUsage, type ProcessUsage } from '../processes/process-usage';
import type { StackPaths } from '../settings/stack-paths';
import { withoutPassword } from '../parts/start-parts';

const HEALTH_TIMEOUT_MS = 3_000;

/** One part or service as `npm run status` shows it. */
export interface StatusEntry {
  name: string;
  kind: RunEntry['kind'] | 'launcher';
  /** For Redis and Kafka: embedded or genuine. given: an address of the environment. Null for all others. */
  variant: NonNullable<RunEntry['variant']> | null;
  /** Has no password. */
  url: string;
  health: 'ready' | 'not ready' | 'down' | 'up';
  pid: number | null;
  /** Null for a part from outside. */
  cpuPercent: number | null;
  memoryMb: number | null;
  /** Without the pages of files, which other processes of the machine share. */
  ownMemoryMb: number | null;
}

/**
 * Reads the state of every entry of run.json, and of its launcher. Returns undefined when no stack was
 * started.
 */
export async function readStatus(paths: StackPaths): Promise<StatusEntry[] | undefined> {
  const state = readRunState(paths.runFile);
  if (!state) return undefined;
  const alive = await Promise.all(state.entries.map(isSameProcess));
  const pids = state.entries.flatMap(({ pid }, index) => (alive[index] && pid !== undefined ? [pid] : []));
  // One after the other: ten services that check their health would be most of the CPU at rest.
  const usage = await measureUsage(pids, state.launcher.pid);
  const health = await Promise.all(state.entries.map(healthOf));
  return [
    ...state.entries.map((entry, index) => toStatus(entry, health[index] ?? 'down', usage)),
    launcherStatus(state, usage),
  ];
}

function launcherStatus(
  { launcher, control }: RunState,
  usage: ReadonlyMap<number, ProcessUsage>,
): StatusEntry {
  const used = usage.get(launcher.pid);
  return {
    name: 'launcher',
    kind: 'launcher',
    variant: null,
    url: control?.url ?? '',
    health: used ? 'up' : 'down',
    pid: launcher.pid,
    ...figures(used),
  };
}

function toStatus(
  { name, kind, variant, url, pid }: RunEntry,
  health: StatusEntry['health'],
  usage: ReadonlyMap<number, ProcessUsage>,
): StatusEntry {
  const used = pid === undefined ? undefined : usage.get(pid);
  return {
    name,
    kind,
    variant: variant ?? null,
    url: withoutPassword(url),
    health,
    pid: pid ?? null,
    ...figures(used),
  };
}

function figures(
  used: ProcessUsage | undefined,
): Pick<StatusEntry, 'cpuPercent' | 'memoryMb' | 'ownMemoryMb'> {
  if (!used) return { cpuPercent: null, memoryMb: null, ownMemoryMb: null };
  const { cpuPercent, memoryMb, ownMemoryMb } = used;
  return { cpuPercent: round(cpuPercent), memoryMb: round(memoryMb), ownMemoryMb: round(ownMemoryMb) };
}

async function healthOf({ kind, url, operationsUrl }: RunEntry): Promise<StatusEntry['health']> {
  if (kind === 'part') return (await accepts(url)) ? 'up' : 'down';
  try {
    const response = await fetch(`${operationsUrl ?? url}/health/ready`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    return response.ok ? 'ready' : 'not ready';
  } catch {
    return 'down';
  }
}

function accepts(address: string): Promise<boolean> {
  const [first = ''] = address.split(',');
  const url = new URL(first.includes('://') ? first : `tcp://${first}`);
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), timeout: HEALTH_TIMEOUT_MS });
    const settle = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', settle(true)).once('error', settle(false)).once('timeout', settle(false));
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
