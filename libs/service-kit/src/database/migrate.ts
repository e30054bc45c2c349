import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

const LOCK_DEADLINE_MS = 60_000;
const LOCK_POLL_MS = 100;
/** A statement that Postgres runs outside of a transaction only. Such a migration has no other statement. */
const CONCURRENTLY = /^\s*(?:--.*\n\s*)*CREATE (?:UNIQUE )?INDEX CONCURRENTLY\b/;

/** Postgres lets a role without CREATE on the database not even use IF NOT EXISTS, and a role of one service has none. */
async function createSchema(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>('SELECT to_regnamespace($1) AS found', [
    `"${schema}"`,
  ]);
  if (!rows[0]?.found) await client.query(`CREATE SCHEMA "${schema}"`);
}

/** The table of Prisma's own migrate command, so that `prisma migrate deploy` works on the same database. */
const MIGRATIONS_TABLE = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    id varchar(36) PRIMARY KEY,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`;

/**
 * A migration of a library, for a table that several services have. Its name has the form of an app's
 * migrations, and all are applied in the order of their names: a new service gets the table before its own
 * migrations, and a service that created the table earlier applies it last. Its SQL must therefore change
 * nothing where the table exists. Never change the SQL of a released one; add another.
 */
export interface LibraryMigration {
  name: string;
  sql: string;
}

/** The migrations of a service in its schema. */
export interface MigrationSource {
  schema: string;
  /** Folder of the service's own migrations: `migrationsFolder(__dirname)`. */
  folder: string;
  /** Those of libraries that the service uses. */
  library: readonly LibraryMigration[];
}

/** Returns the folder of the migrations, beside the bundle or in the sources. */
export function migrationsFolder(dirname: string): string {
  const found = [join(dirname, 'migrations'), join(dirname, '../prisma/migrations')].find((folder) =>
    existsSync(folder),
  );
  if (!found) throw new Error(`No migrations beside ${dirname}. Build the app again: npm run build`);
  return found;
}

/**
 * Applies the missing migrations in order, each in its own transaction, under an advisory lock. Several
 * instances may start at the same time. A migration that is one CREATE INDEX CONCURRENTLY runs outside of a
 * transaction, so that the version still running can write meanwhile. Returns the names of the applied migrations.
 * @param folder the service's own migrations
 * @param library those of libraries that the service uses
 * @throws when an applied migration changed afterwards, or when one fails; a failed migration is rolled back
 */
export async function migrate(
  databaseUrl: string,
  schema: string,
  folder: string,
  library: readonly LibraryMigration[] = [],
): Promise<string[]> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    lock_timeout: LOCK_DEADLINE_MS,
    application_name: `plimsoll-migrate-${schema}`,
  });
  await client.connect();
  try {
    await lock(client, `plimsoll:migrate:${schema}`);
    await createSchema(client, schema);
    await client.query(`SET search_path TO "${schema}"`);
    await client.query(MIGRATIONS_TABLE);
    const missing = await missingOf(client, [...ownMigrations(folder), ...library]);
    for (const migration of missing) await apply(client, schema, migration);
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * The names of the migrations that are not applied, in order. It changes nothing.
 * @throws when an applied migration changed afterwards
 */
export async function missingMigrations(
  databaseUrl: string,
  { schema, folder, library }: MigrationSource,
): Promise<string[]> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    application_name: `plimsoll-check-${schema}`,
  });
  await client.connect();
  try {
    const all = [...ownMigrations(folder), ...library];
    const table = `"${schema}"."_prisma_migrations"`;
    const { rows } = await client.query<{ found: string | null }>('SELECT to_regclass($1) AS found', [table]);
    if (!rows[0]?.found) return inOrder(all).map(({ name }) => name);
    await client.query(`SET search_path TO "${schema}"`);
    return (await missingOf(client, all)).map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Those that the table of the schema does not have, in order. */
async function missingOf(client: Client, all: readonly LibraryMigration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  return inOrder(all).flatMap(({ name, sql }) => {
    const checksum = createHash('sha256').update(sql).digest('hex');
    const known = applied.get(name);
    if (known === checksum) return [];
    if (known !== undefined)
      throw new Error(`Migration ${name} was changed after it was applied. Restore it and add a new one.`);
    return [{ name, sql, checksum }];
  });
}

function ownMigrations(folder: string): LibraryMigration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, sql: readFileSync(join(folder, name, 'migration.sql'), 'utf8') }));
}

function inOrder(migrations: readonly LibraryMigration[]): LibraryMigration[] {
  return [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Waits for the lock without a statement that runs meanwhile: a concurrent index would wait for its snapshot. */
async function lock(client: Client, name: string): Promise<void> {
  const deadlineMs = performance.now() + LOCK_DEADLINE_MS;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken',
      [name],
    );
    if (rows[0]?.taken) return;
    if (performance.now() > deadlineMs) throw new Error('Another instance has been migrating for a minute.');
    await delay(LOCK_POLL_MS);
  }
}

interface Migration extends LibraryMigration {
  checksum: string;
}

async function apply(client: Client, schema: string, { name, sql, checksum }: Migration): Promise<void> {
  const isConcurrent = CONCURRENTLY.test(sql);
  if (isConcurrent) await dropUnfinishedIndexes(client, schema);
  else await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query(
      'INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ($1, $2, now(), $3, 1)',
      [randomUUID(), checksum, name],
    );
    if (!isConcurrent) await client.query('COMMIT');
  } catch (error) {
    if (!isConcurrent) await client.query('ROLLBACK');
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** An interrupted CREATE INDEX CONCURRENTLY leaves an index that no query uses. Only the migrating instance creates one. */
async function dropUnfinishedIndexes(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND NOT indisvalid`,
    [schema],
  );
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
}
