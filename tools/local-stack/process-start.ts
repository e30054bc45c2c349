import { findProcess } from '@plimsoll/local-parts';

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
