import { RedisError } from '../resp/reply';
import { SYNTAX_ERROR, integer } from './command';

const UNITS: Readonly<Record<string, (amount: number, nowMs: number) => number>> = {
  EX: (seconds, nowMs) => nowMs + seconds * 1_000,
  PX: (milliseconds, nowMs) => nowMs + milliseconds,
  EXAT: (seconds) => seconds * 1_000,
  PXAT: (milliseconds) => milliseconds,
};

/** True for EX, PX, EXAT and PXAT in any case. */
export function isExpiryOption(option: string): boolean {
  return option.toUpperCase() in UNITS;
}

/** The time that `EX 10`, `PX 10000`, `EXAT …` or `PXAT …` names, milliseconds since 1970. Throws RedisError. */
export function expiryTime(
  option: string,
  amount: string | undefined,
  command: string,
  nowMs: number,
): number {
  const timeOf = UNITS[option.toUpperCase()];
  if (!timeOf || amount === undefined) throw new RedisError(SYNTAX_ERROR);
  const value = integer(amount);
  const expiresAtMs = timeOf(value, nowMs);
  if (value <= 0 || !Number.isSafeInteger(expiresAtMs)) {
    throw new RedisError(`ERR invalid expire time in '${command}' command`);
  }
  return expiresAtMs;
}
