import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '@plimsoll/service-kit';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { Client } from 'pg';
import { WITH_SCHEMA, databaseRoles, roleOf } from './database-roles';

describe('the database roles of the services', () => {
  const prefix = `test_${randomBytes(6).toString('hex')}_`;
  const password = randomBytes(12).toString('hex');
  const admin = `${prefix}admin`;
  let database: TestDatabase;
  let migrations: string;

  const urlAs = (username: string): string =>
    Object.assign(new URL(database.url), { username, password }).href;
  const run = async (url: string, sql: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const statements = (): string =>
    databaseRoles({ database: new URL(database.url).pathname.slice(1), prefix, passwordOf: () => password });

  beforeAll(async () => {
    database = await createTestDatabase();
    migrations = mkdtempSync(path.join(tmpdir(), 'roles-'));
    mkdirSync(path.join(migrations, '20260101000000_first'));
    writeFileSync(
      path.join(migrations, '20260101000000_first/migration.sql'),
      'CREATE TABLE secrets (id serial, text text); INSERT INTO secrets (text) VALUES (current_user)',
    );
    // As the administrator of a managed Postgres, who is no superuser.
    await run(
      database.url,
      `CREATE ROLE ${admin} LOGIN CREATEROLE CREATEDB PASSWORD '${password}';
       ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO ${admin}; GRANT ${admin} TO CURRENT_USER`,
    );
    // The tables of an earlier version, whose services all had this role.
    await run(
      urlAs(admin),
      "CREATE SCHEMA alerts; CREATE TABLE alerts.old (id serial); CREATE TYPE alerts.kind AS ENUM ('a')",
    );
    await run(urlAs(admin), statements());
  });
  afterAll(async () => {
    rmSync(migrations, { recursive: true });
    const roles = [...WITH_SCHEMA.map(({ schema }) => roleOf(schema, prefix)), admin];
    await run(
      database.url,
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO CURRENT_USER`,
    );
    for (const role of roles) await run(database.url, `DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
    await database.drop();
  });

  it.each(WITH_SCHEMA)('lets $name migrate and use its schema', async ({ schema }) => {
    const url = urlAs(roleOf(schema, prefix));
    expect(await migrate(url, schema, migrations)).toEqual(['20260101000000_first']);
    expect(await run(url, `SELECT text FROM ${schema}.secrets`)).toEqual([{ text: roleOf(schema, prefix) }]);
  });

  it.each(WITH_SCHEMA)('lets $name use no other schema', async ({ schema }) => {
    const url = urlAs(roleOf(schema, prefix));
    for (const other of WITH_SCHEMA.filter((each) => each.schema !== schema))
      await expect(run(url, `SELECT * FROM ${other.schema}.secrets`)).rejects.toThrow('permission denied');
    await expect(run(url, 'CREATE SCHEMA another')).rejects.toThrow('permission denied');
    await expect(run(url, 'CREATE TABLE public.another (id int)')).rejects.toThrow('permission denied');
    await expect(run(url, `GRANT ${roleOf('gateway', prefix)} TO ${roleOf(schema, prefix)}`)).rejects.toThrow(
      /permission denied|cannot be/,
    );
  });

  it('gives the objects of an earlier common role to the service', async () => {
    const url = urlAs(roleOf('alerts', prefix));
    await run(url, 'ALTER TABLE alerts.old ADD text text; INSERT INTO alerts.old (text) VALUES (1)');
    await run(url, "ALTER TYPE alerts.kind ADD VALUE 'b'");
  });

  it('changes nothing when the statements run again', async () => {
    await run(urlAs(admin), statements());
    expect(await run(urlAs(roleOf('alerts', prefix)), 'SELECT text FROM alerts.secrets')).toHaveLength(1);
  });

  it('lets no other role connect', async () => {
    const stranger = `${prefix}stranger`;
    await run(database.url, `CREATE ROLE ${stranger} LOGIN PASSWORD '${password}'`);
    await expect(run(urlAs(stranger), 'SELECT 1')).rejects.toThrow('permission denied for database');
    await run(database.url, `DROP ROLE ${stranger}`);
  });
});
