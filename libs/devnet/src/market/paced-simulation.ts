/** The timing of a simulation. */
export interface SimulationTiming {
  /** Real time between two steps. */
  intervalMs: number;
  /** Called with the error of a step that failed. The next step follows at its usual time. */
  onError?: ((error: unknown) => void) | undefined;
}

/** A simulation that takes one step after another while it runs, and accepts commands in between. */
export abstract class PacedSimulation {
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  private paused = false;
  /** Steps wait for each other: each starts from the state that the one before left on the chain. */
  private last: Promise<unknown> = Promise.resolve();

  protected constructor(private readonly pace: SimulationTiming) {}

  /** One step now. */
  abstract step(): Promise<unknown>;

  get isPaused(): boolean {
    return this.paused;
  }

  /** Starts to take steps. The first comes after one interval. */
  start(): void {
    if (this.running) return;
    this.running = true;
    this.schedule();
  }

  /** Stops permanently and waits for the current step. */
  async stop(): Promise<void> {
    this.running = false;
    clearTimeout(this.timer);
    await this.last.catch(() => undefined);
  }

  /** No step is taken until `resume`. Commands are still executed. */
  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  protected inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work, work);
    this.last = result;
    return result;
  }

  private schedule(): void {
    this.timer = setTimeout(() => void this.tick(), this.pace.intervalMs);
  }

  private async tick(): Promise<void> {
    try {
      if (!this.paused) await this.step();
    } catch (error) {
      this.pace.onError?.(error);
    }
    if (this.running) this.schedule();
  }
}
