import path from 'node:path';
import type * as LocalParts from '@plimsoll/local-parts';
import { startSharedParts, type SharedParts } from './shared-parts';

declare global {
  var plimsollSharedParts: SharedParts | undefined;
}

export default async function setUp(): Promise<void> {
  // Loaded by its path, because Jest maps the names of libraries in tests, but not in a global set-up.
  const byPath = path.join(__dirname, '../../local-parts/src/index.ts');
  const localParts = (await import(byPath)) as typeof LocalParts;
  globalThis.plimsollSharedParts = await startSharedParts(localParts, (line) =>
    process.stderr.write(`${line}\n`),
  );
}
