import { writeFileSync } from 'node:fs';
import { loadRegistry } from '@plimsoll/evm';
import { readProofs } from './proofs';
import { readRecordings } from './recordings';
import { toMarkdown } from './table';

/** The path of the committed table, from the root of the repository. */
export const COVERAGE_FILE = 'docs/coverage.md';

const USAGE = `usage: npm run coverage:protocols

  Writes ${COVERAGE_FILE}, the table of protocol, chain and how each is proved, from the registry, the proofs that tests
  name and the recordings, and prints it. CI fails where the committed table differs.`;

/** Writes the table and prints it. */
export async function main(args: readonly string[]): Promise<void> {
  if (args.length > 0) {
    console.log(USAGE);
    process.exitCode = args.includes('--help') ? 0 : 2;
    return;
  }
  const text = toMarkdown(await loadRegistry(), readProofs(), readRecordings());
  writeFileSync(COVERAGE_FILE, text);
  console.log(text);
}
