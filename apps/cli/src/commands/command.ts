import { type Command, InvalidArgumentError } from 'commander';
import { Context, type Globals } from '../context';

/** Runs an action with the context of its command. Commander adds the options and the command at the end. */
export const withContext =
  <A extends unknown[]>(action: (context: Context, ...given: A) => Promise<void> | void) =>
  (...given: unknown[]): Promise<void> | void => {
    const command = given.at(-1) as Command;
    return action(new Context(command.optsWithGlobals<Globals>()), ...(given.slice(0, -1) as A));
  };

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('State a whole number from 1.');
  return value;
}

export function decimal(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('State a number.');
  return value;
}

/** A time that is longer than none and at most an hour. */
export function seconds(text: string): number {
  const value = decimal(text);
  if (value <= 0 || value > 3_600) throw new InvalidArgumentError('State seconds above 0, at most 3600.');
  return value;
}

/** Collects the values of an option that may be repeated. */
export const repeated = (text: string, before: readonly string[] = []): string[] => [...before, text];

export const LIMIT = ['--limit <n>', 'most items to read', wholeNumber, 50] as const;
