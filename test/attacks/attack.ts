import type { Target } from './target';

/** One statement about the platform under attack, and whether it is true. */
export interface Check {
  name: string;
  ok: boolean;
  /** The measured value. */
  detail: string;
}

/** The attacks of one item of the security issue. */
export interface Attack {
  /** Its number in the README, `accounts` or `fuzz`. */
  item: string;
  title: string;
  /** An attack that takes longer fails. */
  limitSeconds: number;
  run(target: Target): Promise<Check[]>;
}

export function check(name: string, ok: boolean, detail: unknown): Check {
  return { name, ok, detail: typeof detail === 'string' ? detail : JSON.stringify(detail) };
}

/** Returns a check that two values are equal. */
export function equal(name: string, received: unknown, expected: unknown): Check {
  const [left, right] = [JSON.stringify(received), JSON.stringify(expected)];
  return check(name, left === right, left === right ? left : `${left}, expected ${right}`);
}

/** Returns a check that a duration is within its limit. */
export function within(name: string, ms: number, limitMs: number): Check {
  return check(name, ms <= limitMs, `${Math.round(ms)} ms of ${limitMs} ms`);
}

/** Returns a check that a response has this status and arrived within the time limit. */
export function refused(
  name: string,
  { status, ms }: { status: number; ms: number },
  expected: readonly number[],
  limitMs: number,
): Check {
  return check(
    name,
    expected.includes(status) && ms <= limitMs,
    `${status} in ${Math.round(ms)} of ${limitMs} ms, expected ${expected.join(' or ')}`,
  );
}
