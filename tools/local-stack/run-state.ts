import { readJsonFile, writeJsonFile } from './json-file';
import { processStart } from './process-start';

/** A process of the stack, or a part that someone else runs (then without a pid). */
export interface RunEntry {
  name: string;
  kind: 'part' | 'service';
  url: string;
  /** Of Redis and Kafka; given: an address of the environment. */
  variant?: 'embedded' | 'genuine' | 'given';
  pid?: number;
  /** As the process table tells it: with the pid, this names one process for ever. */
  startedAt?: string;
}

/** What run.json says: enough for another process to look at the stack, talk to it and end it. */
export interface RunState {
  launcher: { pid: number; startedAt: string };
  /** Where the launcher takes orders for the market, once it does. */
  control?: { url: string; token: string };
  /** True from the moment that everything answers. */
  isReady: boolean;
  entries: RunEntry[];
}

/** Keeps run.json in step with what runs, from the first process on. */
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

/** What run.json of a workspace says, or undefined when nothing was started. */
export function readRunState(file: string): RunState | undefined {
  return readJsonFile<RunState>(file);
}
