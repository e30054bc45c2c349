import { setTimeout as delay } from 'node:timers/promises';
import type { RunningPart } from '@plimsoll/local-parts';
import { type Print, formatFailure } from './progress';

const WINDOW_MS = 300_000;
const FIRST_WAIT_MS = 250;

/** The budget for restarts of a process that keeps ending: five in five minutes, each after twice the delay. */
export class RestartBudget {
  static readonly LIMIT = 5;
  private startsMs: number[] = [];

  /**
   * The wait before the next start, or undefined when the budget is exhausted. `nowMs` is of a monotonic
   * clock.
   */
  next(nowMs: number): number | undefined {
    this.startsMs = this.startsMs.filter((startMs) => nowMs - startMs < WINDOW_MS);
    if (this.startsMs.length >= RestartBudget.LIMIT) return undefined;
    const waitMs = FIRST_WAIT_MS * 2 ** this.startsMs.length;
    this.startsMs.push(nowMs);
    return waitMs;
  }
}

/** A process that is started again when it ends without a stop, until its budget is exhausted. */
export class Supervised {
  private current: RunningPart | undefined;
  private stopping = false;
  private readonly budget = new RestartBudget();

  constructor(
    readonly name: string,
    private readonly start: (port: number | undefined) => Promise<RunningPart>,
    private readonly onStarted: (part: RunningPart) => Promise<void>,
    private readonly print: Print,
  ) {}

  /** The first start. Its failure is passed to the caller. */
  async run(): Promise<RunningPart> {
    const part = await this.start(undefined);
    await this.adopt(part);
    return part;
  }

  /** Ends it permanently. The process group has ended when this returns. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.current?.stop();
  }

  private async adopt(part: RunningPart): Promise<void> {
    this.current = part;
    await this.onStarted(part);
    void part.exited.then(({ code, signal }) => this.restart(part.port, signal ?? `code ${code}`));
    if (this.stopping) await part.stop();
  }

  private async restart(port: number, how: string): Promise<void> {
    for (let reason = `ended (${how})`; !this.stopping;) {
      const waitMs = this.budget.next(performance.now());
      if (waitMs === undefined) {
        this.print(
          `${this.name} ${reason}; given up after ${RestartBudget.LIMIT} restarts. See its log, then \`npm stop\` and \`npm start\`.`,
        );
        return;
      }
      this.print(`${this.name} ${reason}; starting it again in ${waitMs} ms`);
      await delay(waitMs);
      if (this.stopping) return;
      try {
        await this.adopt(await this.start(port));
        this.print(`${this.name} is back`);
        return;
      } catch (error) {
        reason = `did not start: ${formatFailure(error)}`;
      }
    }
  }
}
