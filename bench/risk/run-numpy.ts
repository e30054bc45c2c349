import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Median CPU ms by number of paths. */
export type CpuMs = Record<string, number>;

export interface NumpyResult {
  version: string;
  daily: CpuMs;
  bridge: CpuMs;
}

const TIMEOUT_MS = 300_000;

/**
 * Runs numpy_paths.py on one thread with the Python of PYTHON_BIN, else `python3` of the PATH.
 * @throws Error that says how to get it when Python or numpy is missing
 */
export function runNumpy(task: object): NumpyResult {
  const python = process.env['PYTHON_BIN'] ?? 'python3';
  const { status, stdout, stderr, error } = spawnSync(python, [path.join(__dirname, 'numpy_paths.py')], {
    input: JSON.stringify(task),
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    env: { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', MKL_NUM_THREADS: '1' },
  });
  if (error && 'code' in error && error.code === 'ETIMEDOUT') {
    throw new Error(
      `numpy took more than ${TIMEOUT_MS / 1_000} s. Run the bench on a machine that is not busy.`,
    );
  }
  if (error || status !== 0) {
    const reason = error?.message ?? stderr.trim().split('\n').at(-1);
    throw new Error(
      `numpy did not run (${python}: ${reason}). Install it with \`${python} -m pip install numpy\`, ` +
        'or name a Python that has it in PYTHON_BIN.',
    );
  }
  return JSON.parse(stdout) as NumpyResult;
}
