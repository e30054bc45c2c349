import { parseArgs } from 'node:util';

export const HELP = `Usage: npm run tool -- contract [--max-examples N] [--seed N] [--operation ID]...

Tests the running platform (npm start) against the document that its gateway serves, with schemathesis: every check,
the phases examples, coverage, fuzzing and stateful. It makes an enterprise account of its own, and takes back what the
run left on it. The rules of the run are in test/contract.

  --max-examples N   examples of each operation while fuzzing (25)
  --seed N           of a run that is to be repeated
  --operation ID     only this operationId; may be given several times
Variables:
  SCHEMATHESIS_BIN   the program, where it is not on the PATH`;

/** The options of a run. */
export interface ContractOptions {
  maxExamples: number;
  /** More digits than a double represents exactly. */
  seed: string | undefined;
  /** Empty: all. */
  operations: string[];
}

/** An invalid command line. The message names the error. */
export class UsageError extends Error {}

/**
 * Reads the words after `npm run tool -- contract --`.
 * @returns null for a help request
 * @throws UsageError
 */
export function parseArguments(words: string[]): ContractOptions | null {
  const text = { type: 'string' } as const;
  const operation = { type: 'string', multiple: true } as const;
  const options = { 'max-examples': text, seed: text, operation, help: { type: 'boolean' } } as const;
  let values: { 'max-examples'?: string; seed?: string; operation?: string[]; help?: boolean };
  try {
    ({ values } = parseArgs({ args: words, options }));
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
  if (values.help) return null;
  return {
    maxExamples: Number(wholeNumber('--max-examples', values['max-examples'] ?? '25')),
    seed: values.seed === undefined ? undefined : wholeNumber('--seed', values.seed),
    operations: values.operation ?? [],
  };
}

function wholeNumber(option: string, text: string): string {
  if (/^[1-9]\d{0,39}$/.test(text)) return text;
  throw new UsageError(`${option} must be a whole number from 1, not ${text}.`);
}
