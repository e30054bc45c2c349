import type { RunningPart } from '@plimsoll/local-parts';
import type { Print } from './progress';
import type { RunEntry, RunStateFile } from './run-state';
import { Supervised } from './supervised';

/** All processes that one launcher keeps running. run.json lists each of them from its start. */
export class ProcessSet {
  private isStopping = false;
  private readonly running: { kind: RunEntry['kind']; process: Supervised }[] = [];

  constructor(
    private readonly state: RunStateFile,
    private readonly print: Print,
  ) {}

  /**
   * Starts a process and keeps it running. `start` is called again, with its port, when it ends without a stop.
   */
  launch(
    kind: RunEntry['kind'],
    name: string,
    start: (port: number | undefined) => Promise<RunningPart>,
    more: Pick<RunEntry, 'variant' | 'operationsUrl'> = {},
  ): Promise<RunningPart> {
    if (this.isStopping) return Promise.reject(new Error(`${name} is not started: the stack stops`));
    const record = (part: RunningPart): Promise<void> =>
      this.state.record({ name, kind, url: part.url, ...more, pid: part.pid });
    const process = new Supervised(name, start, record, this.print);
    this.running.push({ kind, process });
    return process.run();
  }

  /** Stops services first, while their dependencies still run, then the parts. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const kind of ['service', 'part'] as const) {
      const ofKind = this.running.filter((each) => each.kind === kind);
      await Promise.all(ofKind.map(({ process }) => process.stop()));
    }
  }
}
