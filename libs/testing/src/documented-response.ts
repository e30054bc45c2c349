import { globSync } from 'node:fs';
import { join } from 'node:path';
import { matchEndpoint } from '@plimsoll/access';
import { declaredOperations } from '@plimsoll/openapi';
import { checkResponse } from './check-response';

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

/**
 * Fails a test whose response differs from the operation of this call: another status, body or error code. It skips calls that the document does not cover: paths without a row of ENDPOINTS, and
 * a 304, which has no body.
 * @param target path and query of the call
 * @throws Error that names each difference
 */
export function expectDocumented(
  method: string,
  target: string,
  { status, body }: { status: number; body: unknown },
): void {
  const match = matchEndpoint(method, target.split('?')[0] ?? '');
  if (match.kind !== 'endpoint' || status === 304) return;
  const key = `${match.endpoint.method} ${match.endpoint.path}`;
  if (!declaredOperations()[key]) importDocumentedEndpoints(match.endpoint.service);
  const differences = checkResponse(key, status, body);
  if (differences.length === 0) return;
  const call = `${method} ${target} returned ${status} ${JSON.stringify(body)}`;
  throw new Error(`${call}, which the document does not describe: ${differences.join('; ')}`);
}
