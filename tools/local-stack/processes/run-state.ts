import { findProcess } from '@plimsoll/local-parts';
import { readJsonFile, writeJsonFile } from '../settings/json-file';

/** A process of the stack, or a part from outside (without a pid). */
export interface RunEntry {
  name: string;
  kind: 'part' | 'service';
  url: string;
  /** Address of the readiness and the metrics of a service. */
  operationsUrl?: string;
  /** For Redis and Kafka: the kind of the part. given: an address in the environment. */
  variant?: 'embedded' | 'genuine' | 'given';
  pid?: number;
  /** The start time from the process table. With the pid it identifies one process. */
  startedAt?: string;
}

/** The content of run.json: enough for another process to inspect the stack, call it and end it. */
export interface RunState {
  launcher: { pid: number; startedAt: string };
  /** The control port for commands to the market. Absent until it listens. */
  control?: { url: string; token: string };
  /** True as soon as every part and service responds. */
  isReady: boolean;
  entries: RunEntry[];
}

/** Updates run.json with the running processes, from the first one on. */
export class RunStateFile {
  private readonly entries = new Map<string, RunEntry>();
  private state: RunState;

  constructor(
    private readonly file: string,
    launcherStartedAt: string,
  ) {
    this.state = {
      launcher: { pid: process.pid, startedAt: launcherStartedAt },
      isReady: false,
      entries: [],
    };
    this.write();
  }

  async record(entry: RunEntry): Promise<void> {
    const startedAt = entry.pid === undefined ? undefined : await processStart(entry.pid);
    this.entries.set(entry.name, { ...entry, startedAt });
    this.write();
  }

  setControl(control: { url: string; token: string }): void {
    this.state = { ...this.state, control };
    this.write();
  }

  setReady(): void {
    this.state = { ...this.state, isReady: true };
    this.write();
  }

  private write(): void {
    writeJsonFile(this.file, { ...this.state, entries: [...this.entries.values()] });
  }
}

/** The run.json of a workspace, or undefined when nothing was started. */
export function readRunState(file: string): RunState | undefined {
  return readJsonFile<RunState>(file);
}

/** Returns when a process started, in a unit of the platform, or undefined when it does not run. */
export async function processStart(pid: number): Promise<string | undefined> {
  const entry = await findProcess(pid);
  return entry && !entry.isZombie ? entry.startedAt : undefined;
}

/** Returns true when the pid still belongs to the recorded process, and not to a later one with the same number. */
export async function isSameProcess({
  pid,
  startedAt,
}: {
  pid?: number;
  startedAt?: string;
}): Promise<boolean> {
  return pid !== undefined && startedAt !== undefined && (await processStart(pid)) === startedAt;
}
