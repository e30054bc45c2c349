import type { Keyspace } from '../keyspace/keyspace';
import { RedisError, type Reply } from '../resp/reply';

/** The state that a command works on. */
export interface CommandContext {
  keyspace: Keyspace;
  /** Milliseconds since 1970, the same for all commands of a script or transaction. */
  nowMs: number;
  /** Microseconds within the millisecond, for TIME. */
  nowUs: number;
  /** Records a change for the append-only file: a command that has the same effect whenever it runs again. */
  effect(...command: string[]): void;
}

/** A command on the keyspace. */
export interface Command {
  /** Number of arguments with the command's own name, as in COMMAND INFO. Negative: the least number. */
  arity: number;
  run(context: CommandContext, args: readonly string[]): Reply;
}

export type CommandTable = Readonly<Record<string, Command>>;

export const SYNTAX_ERROR = 'ERR syntax error';
const NOT_AN_INTEGER = 'ERR value is not an integer or out of range';
const NOT_A_FLOAT = 'ERR value is not a valid float';
const LARGEST = BigInt('9223372036854775807');

/** Whether the number of arguments (without the command's name) fits. */
export function fitsArity({ arity }: Command, args: readonly string[]): boolean {
  return arity >= 0 ? args.length + 1 === arity : args.length + 1 >= -arity;
}

/** A signed 64-bit integer in the only form that Redis accepts. Throws RedisError. */
export function integer64(text: string): bigint {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) throw new RedisError(NOT_AN_INTEGER);
  const value = BigInt(text);
  if (value > LARGEST || value < -LARGEST - 1n) throw new RedisError(NOT_AN_INTEGER);
  return value;
}

/** An integer that a double holds exactly. Throws RedisError. */
export function integer(text: string): number {
  const value = Number(integer64(text));
  if (!Number.isSafeInteger(value)) throw new RedisError(NOT_AN_INTEGER);
  return value;
}

/** A sum of signed 64-bit integers, as text. Throws RedisError when it overflows. */
export function addIntegers(text: string, increment: bigint): string {
  const sum = integer64(text) + increment;
  if (sum > LARGEST || sum < -LARGEST - 1n) throw new RedisError('ERR increment or decrement would overflow');
  return sum.toString();
}

/** A floating-point number, `inf` and `-inf` included. Throws RedisError. */
export function float(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(value)) throw new RedisError(NOT_A_FLOAT);
  return value;
}

export function wrongArity(name: string): RedisError {
  return new RedisError(`ERR wrong number of arguments for '${name.toLowerCase()}' command`);
}
