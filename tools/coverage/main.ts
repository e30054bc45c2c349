import { writeFileSync } from 'node:fs';
import { loadRegistry } from '@plimsoll/chain';
import { PROOFS } from './proofs';
import { toMarkdown } from './table';

/** Where the table is committed, from the root of the repository. */
export const COVERAGE_FILE = 'docs/coverage.md';

/** Writes the table and prints it. */
export async function main(): Promise<void> {
  const text = toMarkdown(await loadRegistry(), PROOFS);
  writeFileSync(COVERAGE_FILE, text);
  console.log(text);
}
