import { parseArgs } from 'node:util';

export const HELP = `Usage: npm run parts:conformance -- [--part NAME] [--only TEXT] [--embedded] [--all] [--json]

Runs the same checks against the embedded and the genuine form of each part and prints what differs. Ends with 1 when a
check differs or fails on either form.

  --part NAME   only this part (kafka or redis)
  --only TEXT   only the checks whose name contains the text
  --embedded    only the embedded form: nothing is compared, and the last line says so
  --all         every check in the table, not only those that differ
  --json        one JSON document instead of the table`;

export interface ConformanceOptions {
  part: string | undefined;
  only: string | undefined;
  embedded: boolean;
  all: boolean;
  json: boolean;
}

/** An invalid command line. The message states the necessary change. */
export class UsageError extends Error {}

/** Null: the command line requests help. Throws UsageError. */
export function parseArguments(words: string[], parts: readonly string[]): ConformanceOptions | null {
  const options = {
    part: { type: 'string' },
    only: { type: 'string' },
    embedded: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const;
  try {
    const { values } = parseArgs({ args: words, options });
    if (values.help) return null;
    const { part, only, embedded, all, json } = values;
    if (part !== undefined && !parts.includes(part)) {
      throw new UsageError(`--part ${part} is unknown: it is one of ${parts.join(', ')}.`);
    }
    return { part, only, embedded, all, json };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message, { cause: error });
  }
}
