/** The output of a start: the terminal, or the parent of a detached launcher. */
export type Print = (line: string) => void;

/** Prints one line for every step, with its time, and one with the next step when it fails. */
export class Progress {
  private readonly startedAtMs = performance.now();

  private isMuted = false;

  constructor(private readonly write: Print) {}

  print(line: string): void {
    if (!this.isMuted) this.write(line);
  }

  /** Steps that still run when the stack stops print nothing more. */
  mute(): void {
    this.isMuted = true;
  }

  /** Runs a step and prints its line. `describe` returns the text about the result. */
  async step<T>(name: string, run: () => Promise<T>, describe: (result: T) => string = () => ''): Promise<T> {
    const startedAtMs = performance.now();
    try {
      const result = await run();
      this.print(formatStep('ok', name, performance.now() - startedAtMs, describe(result)));
      return result;
    } catch (error) {
      this.print(formatStep('FAILED', name, performance.now() - startedAtMs));
      throw error;
    }
  }

  get elapsedMs(): number {
    return performance.now() - this.startedAtMs;
  }
}

/** One line of the start: outcome, name, duration and details. */
export function formatStep(outcome: 'ok' | 'FAILED', name: string, durationMs: number, detail = ''): string {
  return `  ${outcome.padEnd(6)} ${name.padEnd(18)} ${formatSeconds(durationMs).padStart(7)}  ${detail}`.trimEnd();
}

/** 1234 → "1.2 s" */
export function formatSeconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

/** The failure and its next step, for any error. */
export function formatFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const nextStep = 'nextStep' in error && typeof error.nextStep === 'string' ? error.nextStep : undefined;
  return nextStep ? `${error.message}. ${nextStep}.` : error.message;
}
