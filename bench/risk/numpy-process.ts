import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const DEADLINE_MS = 60_000;

/** The estimators of numpy_paths.py: a check once a day, or with the touch between the days. */
export type NumpyEstimator = 'daily' | 'bridge';

/** numpy_paths.py on one thread. It measures on command, so that its runs lie between ours. */
export class NumpyProcess {
  private readonly lines: AsyncIterator<string>;
  private errors = '';

  private constructor(
    private readonly python: string,
    private readonly child: ChildProcessWithoutNullStreams,
  ) {
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stderr.on('data', (chunk) => (this.errors += String(chunk)));
    // The missing reply reveals a process that ended.
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => (this.errors += error.message));
  }

  /**
   * Starts it with the Python of PYTHON_BIN, or with `python3` of the PATH.
   * @throws Error with the command that installs Python or numpy when it is missing
   */
  static async start(task: object): Promise<{ numpy: NumpyProcess; version: string }> {
    const python = process.env['PYTHON_BIN'] ?? 'python3';
    const child = spawn(python, [path.join(__dirname, 'numpy_paths.py')], {
      env: { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', MKL_NUM_THREADS: '1' },
    });
    const numpy = new NumpyProcess(python, child);
    return { numpy, version: (await numpy.request<{ version: string }>(task)).version };
  }

  /** Median of the CPU milliseconds of so many runs, after one that does not count. */
  async measure(estimator: NumpyEstimator, paths: number, runs: number): Promise<number> {
    return (await this.request<{ cpuMs: number }>({ estimator, paths, runs })).cpuMs;
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.stdin.end();
    await exited;
  }

  private async request<T>(question: object): Promise<T> {
    this.child.stdin.write(`${JSON.stringify(question)}\n`);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), DEADLINE_MS);
    const { value, done } = await this.lines.next();
    clearTimeout(timer);
    if (!done) return JSON.parse(value) as T;
    const reason = this.errors.trim().split('\n').at(-1) ?? '';
    throw new Error(
      `numpy did not run (${this.python}: ${reason || 'no result in time'}). Install it with ` +
        `\`${this.python} -m pip install numpy\`, or name a Python that has it in PYTHON_BIN.`,
    );
  }
}
