import { globSync } from 'node:fs';
import { join } from 'node:path';

/** Files whose import documents endpoints: controllers, and the endpoints that have none. */
const FILES = 'src/**/*.{controller,endpoints}.ts';
const ROOT = join(__dirname, '../../..');

/**
 * Imports the controllers of an app, so that their operations are known to this process.
 * @param app a folder of apps/, or `*` for all
 */
export function importDocumentedEndpoints(app: string): void {
  const files = globSync(join('apps', app, FILES), { cwd: ROOT });
  for (const file of files.sort()) require(join(ROOT, file));
}
