// Compares apps/<app>/prisma/schema.prisma with a migrated database, as `prisma migrate diff --exit-code` does. Ends with
// 2 when they differ, and prints the SQL that would make the database equal to the schema. Partial indexes, checks and
// collations are only in the migrations.
//
// The command line of Prisma downloads its schema engine. The same engine for WebAssembly is an npm package.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

const USAGE = 'usage: node tools/prisma-diff.mjs apps/<app> <database URL> <Postgres schema>';
/** The type "char" of the catalogs, which the adapter does not read. */
const CATALOG_CHAR = 18;
const TEXT = 25;

async function loadEngine() {
  const require = createRequire(import.meta.url);
  const folder = path.dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const bytes = readFileSync(path.join(folder, 'schema_engine_bg.wasm'));
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => console.error(message) };
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': engine });
  engine.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
}

/** The adapter of the services, which also reads the catalogs of Postgres. */
function catalogAdapter(pool, schema) {
  const factory = new PrismaPg(pool, { schema });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const run = adapter.performIO.bind(adapter);
    const read = adapter.queryRaw.bind(adapter);
    adapter.performIO = async (query) => {
      const result = await run(query);
      query.chars = result.fields.flatMap(({ dataTypeID }, at) => (dataTypeID === CATALOG_CHAR ? [at] : []));
      for (const at of query.chars) result.fields[at].dataTypeID = TEXT;
      return result;
    };
    adapter.queryRaw = async (query) => {
      const own = { ...query };
      const result = await read(own);
      for (const at of own.chars) result.columnTypes[at] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  };
  return bindMigrationAwareSqlAdapterFactory(factory);
}

const [app, url, schema] = process.argv.slice(2);
if (!app || !url || !schema) {
  console.log(USAGE);
  process.exit(2);
}
const file = path.join(import.meta.dirname, '..', app, 'prisma/schema.prisma');
const files = [{ path: file, content: readFileSync(file, 'utf8') }];
const pool = new pg.Pool({
  connectionString: url,
  options: `-c search_path=${schema}`,
  connectionTimeoutMillis: 10_000,
  query_timeout: 30_000,
});
await loadEngine();
const { SchemaEngine } = engine;
const opened = await SchemaEngine.new(
  { datamodels: files.map(({ path: name, content }) => [name, content]) },
  () => undefined,
  catalogAdapter(pool, schema),
);
const { exitCode, stdout } = await opened.diff({
  from: { tag: 'schemaDatasource', files, configDir: path.dirname(file) },
  to: { tag: 'schemaDatamodel', files },
  script: true,
  exitCode: true,
  filters: { externalTables: [], externalEnums: [] },
});
await pool.end();
if (exitCode !== 0) console.log(stdout);
process.exit(exitCode);
