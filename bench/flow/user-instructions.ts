import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The margin around the measured time, for `perf` to start and end. */
const MARGIN_MS = 10_000;

let isMissing = false;

/**
 * Instructions that a process runs outside of the kernel, by `perf stat`: unlike its CPU time they do not
 * depend on the machine's other work. Null if `perf` is missing or may not count, which is printed once on
 * standard error.
 */
export async function userInstructions(pid: number, seconds: number): Promise<number | null> {
  if (isMissing) return null;
  const counting = [
    'stat',
    '-x',
    ',',
    '-e',
    'instructions:u',
    '-p',
    String(pid),
    '--',
    'sleep',
    String(seconds),
  ];
  try {
    const { stderr } = await promisify(execFile)('perf', counting, { timeout: seconds * 1_000 + MARGIN_MS });
    const count = /^(\d+),[^,]*,instructions/m.exec(stderr)?.[1];
    if (count !== undefined) return Number(count);
    throw new Error(stderr.trim());
  } catch (error) {
    isMissing = true;
    console.error(`instructions are not counted: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}
