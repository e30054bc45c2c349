import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SERVICES } from '../../test/platform/start-platform';
import type { ServiceName } from '../local-stack/services/service-environment';

/** One place that a change edits in every bundle of its services that has it. */
interface Edit {
  services: readonly ServiceName[];
  from: RegExp;
  to: string;
}

/**
 * A change of this tree that is consistent in itself, so that no other test fails, and that a released service does not
 * survive.
 */
export interface Break {
  name: string;
  /** The service that the change breaks in its released version. */
  service: ServiceName;
  edits: readonly Edit[];
  /** A migration of that service. */
  sql?: string;
}

export const BREAKS: readonly Break[] = [
  {
    name: 'position.v1 loses previousHealthFactor',
    service: 'alerts',
    edits: [
      {
        services: SERVICES,
        from: /previousHealthFactor: \(0,_fields__rspack_import_\d+\.Nullable\)\(_sinclair_typebox__rspack_import_\d+\.Type\.Number\(\)\),/,
        to: '',
      },
      {
        services: ['positions'],
        from: /previousHealthFactor: before\?\.event\.healthFactor \?\? null,/,
        to: '',
      },
    ],
  },
  {
    name: 'the table audit of execution loses request_id',
    service: 'execution',
    edits: [
      { services: ['execution'], from: /(INSERT INTO audit \([^)]*) request_id,/, to: '$1' },
      {
        services: ['execution'],
        from: /(INSERT INTO audit [^`]*VALUES )\(\$1, [^`]*`/,
        to: '$1($$1, $$2, $$3, $$4, $$5, $$6, $$7, $$8, to_timestamp($$9::float8 / 1000))`',
      },
      { services: ['execution'], from: /(identity\.keyId,\s*)identity\.requestId,(\s*action,)/, to: '$1$2' },
    ],
    sql: 'ALTER TABLE audit DROP COLUMN request_id;',
  },
  {
    name: 'POST /inner/receipts renames hash to receiptHash',
    service: 'simulation',
    edits: [
      {
        services: ['positions'],
        from: /return this\.receipts\.signSimulation\(accountId, parts\);/,
        to: 'return this.receipts.signSimulation(accountId, parts).then(({ hash, ...rest }) => ({ ...rest, receiptHash: hash }));',
      },
      {
        services: ['simulation'],
        from: /await this\.upstream\.post\('\/inner\/receipts', parts, caller, left\);/,
        to: "await this.upstream.post('/inner/receipts', parts, caller, left).then((signed) => signed && (({ receiptHash, content, data, signature }) => ({ content, data, hash: receiptHash, signature }))(signed));",
      },
    ],
  },
];

/**
 * Writes the builds of this tree with a change.
 * @param folder gets dist/apps
 * @throws Error when the build no longer has a place of the change
 */
export function writeBreak(root: string, folder: string, { name, service, edits, sql }: Break): void {
  rmSync(folder, { recursive: true, force: true });
  for (const each of SERVICES)
    cpSync(path.join(root, 'dist/apps', each), path.join(folder, 'dist/apps', each), {
      recursive: true,
      filter: (file) => !file.endsWith('.map'),
    });
  for (const { services, from, to } of edits)
    for (const each of services)
      if (!editBundles(path.join(folder, 'dist/apps', each), from, to))
        throw new Error(`${name}: no bundle of ${each} has ${from.source}. Correct tools/compat/breaks.ts.`);
  if (sql === undefined) return;
  const migration = path.join(folder, 'dist/apps', service, 'migrations/99991231000000_break');
  mkdirSync(migration, { recursive: true });
  writeFileSync(path.join(migration, 'migration.sql'), sql);
}

/** Edits the bundle of a service and those of its threads. Returns whether any of them has the place. */
function editBundles(folder: string, from: RegExp, to: string): boolean {
  const bundles = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => path.join(folder, name));
  const edited = bundles.filter((file) => from.test(readFileSync(file, 'utf8')));
  for (const file of edited) writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  return edited.length > 0;
}
