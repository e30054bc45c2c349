import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { workspaceRoot } from '@plimsoll/local-parts';
import { HELP, UsageError, parseArguments } from './arguments';
import { runSuite, type Row } from './run-suite';
import { formatTable } from './table';
import type { Suite } from './check';
import { kafkaSuite } from './kafka';
import { redisSuite } from './redis';

/** The parts with an embedded and a genuine form. */
export const SUITES: readonly Suite[] = [kafkaSuite, redisSuite];

/** Resolves with the exit code. */
export async function main(words: string[]): Promise<number> {
  try {
    const options = parseArguments(
      words,
      SUITES.map(({ part }) => part),
    );
    if (!options) {
      console.log(HELP);
      return 0;
    }
    const folder = path.join(workspaceRoot(), '.local', `conformance-${process.pid}`);
    await mkdir(folder, { recursive: true });
    const rows: Row[] = [];
    try {
      for (const suite of SUITES.filter(({ part }) => part === (options.part ?? part))) {
        const { only } = options;
        const withGenuine = !options.embedded;
        rows.push(...(await runSuite(suite, { folder, withGenuine, only, onProgress: console.error })));
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    console.log(options.json ? JSON.stringify(rows, null, 2) : formatTable(rows, options.all));
    return rows.some(({ verdict }) => verdict === 'different' || verdict === 'failed') ? 1 : 0;
  } catch (error) {
    console.error(error instanceof UsageError ? `${error.message}\n\n${HELP}` : error);
    return 2;
  }
}
