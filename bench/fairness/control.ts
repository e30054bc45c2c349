import { treeCpuMs } from '../flow/process-usage';
import { forkSource } from '../webhooks/receiver';

/** The processes of a heavy request work one after the other, and those of two requests at the same time. */
const PROCESSES = 2;

/** The mean number of cores that this process and its parts use during the work. */
export async function withCores<T>(work: () => Promise<T>): Promise<{ result: T; cores: number }> {
  const [startedAtMs, before] = [performance.now(), await treeCpuMs(process.pid)];
  const result = await work();
  const used = (await treeCpuMs(process.pid)) - before;
  return { result, cores: used / (performance.now() - startedAtMs) };
}

/** Does the work while processes without any relation to the platform use so many cores. */
export async function besideBurners<T>(cores: number, work: () => Promise<T>): Promise<T> {
  const share = Math.max(0, cores) / PROCESSES;
  const burners = Array.from({ length: PROCESSES }, () =>
    forkSource('../fairness/burner-process.ts', [String(share)]),
  );
  try {
    return await work();
  } finally {
    for (const burner of burners) burner.kill('SIGKILL');
  }
}
