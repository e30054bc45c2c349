import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, type Check, check } from './attack';
import type { Target } from './target';

export interface AttackResult {
  item: string;
  title: string;
  seconds: number;
  checks: Check[];
}

/** Runs the attacks one after the other. One that throws or is late has a failed check. */
export async function runAttacks(
  target: Target,
  attacks: readonly Attack[],
  onResult: (result: AttackResult) => void,
): Promise<AttackResult[]> {
  const results: AttackResult[] = [];
  try {
    for (const { item, title, limitSeconds, run } of attacks) {
      target.progress(`item ${item}: ${title}, at most ${limitSeconds} s`);
      const startedAtMs = performance.now();
      const late = delay(limitSeconds * 1_000, null, { ref: false });
      const checks = await Promise.race([run(target), late]).catch((error: Error) => [
        check('the attack runs', false, error.stack ?? error.message),
      ]);
      const seconds = Math.round((performance.now() - startedAtMs) / 100) / 10;
      const result = { item, title, seconds, checks: checks ?? [tooLate(limitSeconds)] };
      results.push(result);
      onResult(result);
    }
  } finally {
    await target.cleanUp();
  }
  return results;
}

const tooLate = (seconds: number): Check =>
  check('the attack ends', false, `it did not end within ${seconds} s`);

export const hasHeld = ({ checks }: AttackResult): boolean => checks.every(({ ok }) => ok);
