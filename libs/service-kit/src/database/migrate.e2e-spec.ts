import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@plimsoll/testing';
import { Client } from 'pg';
import { migrate, missingMigrations } from './migrate';
import { prepareSchema } from './prepare-schema';

describe('migrate', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let folder: string;

  beforeEach(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await database.drop();
  });

  const write = (name: string, sql: string): void => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'migration.sql'), sql);
  };
  const query = async (sql: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  it('applies new migrations in order, once', async () => {
    write('20260101000000_first', 'CREATE TABLE a (id int)');
    expect(await migrate(database.url, 'sample', folder)).toEqual(['20260101000000_first']);
    write('20260102000000_second', 'ALTER TABLE a ADD b int');
    expect(await migrate(database.url, 'sample', folder)).toEqual(['20260102000000_second']);
    expect(await migrate(database.url, 'sample', folder)).toEqual([]);
    expect(await query('SELECT b FROM sample.a')).toEqual([]);
  });

  it('applies a migration once when several instances start together', async () => {
    write('20260101000000_first', 'CREATE TABLE a (id int); SELECT pg_sleep(0.2)');
    const runs = await Promise.all([1, 2, 3].map(() => migrate(database.url, 'sample', folder)));
    expect(runs.flat()).toEqual(['20260101000000_first']);
  });

  it('uses the schema of a role that may not create one', async () => {
    const role = `role_${new URL(database.url).pathname.slice(1)}`;
    await query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'; CREATE SCHEMA sample AUTHORIZATION ${role}`);
    const url = Object.assign(new URL(database.url), { username: role, password: 'secret' });
    write('20260101000000_first', 'CREATE TABLE a (id int)');
    try {
      expect(await migrate(url.href, 'sample', folder)).toEqual(['20260101000000_first']);
    } finally {
      await query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });

  it('rolls back a migration that fails and applies its corrected version', async () => {
    write('20260101000000_first', 'CREATE TABLE a (id int); SELECT nonsense');
    await expect(migrate(database.url, 'sample', folder)).rejects.toThrow('20260101000000_first');
    write('20260101000000_first', 'CREATE TABLE a (id int)');
    expect(await migrate(database.url, 'sample', folder)).toEqual(['20260101000000_first']);
  });

  it('rejects a migration that changed after it was applied', async () => {
    write('20260101000000_first', 'CREATE TABLE a (id int)');
    await migrate(database.url, 'sample', folder);
    write('20260101000000_first', 'CREATE TABLE a (id bigint)');
    await expect(migrate(database.url, 'sample', folder)).rejects.toThrow('was changed after it was applied');
  });

  describe('of a service that may not migrate', () => {
    const source = () => ({ schema: 'sample', folder, library: [] });
    const config = () => ({ DATABASE_URL: database.url, MIGRATE_AT_START: false });

    it('names what is missing in an empty database, and changes nothing', async () => {
      write('20260102000000_second', 'CREATE TABLE b (id int)');
      write('20260101000000_first', 'CREATE TABLE a (id int)');
      const names = ['20260101000000_first', '20260102000000_second'];
      expect(await missingMigrations(database.url, source())).toEqual(names);
      expect(await query("SELECT 1 FROM pg_namespace WHERE nspname = 'sample'")).toEqual([]);
      await expect(prepareSchema(config(), source())).rejects.toThrow(
        'Schema sample has 2 missing migrations, the first is 20260101000000_first. Run the same version with --migrate',
      );
    });

    it('starts once they are applied, also beside migrations of a newer version', async () => {
      write('20260101000000_first', 'CREATE TABLE a (id int)');
      write('20260102000000_newer', 'CREATE TABLE b (id int)');
      await migrate(database.url, 'sample', folder);
      rmSync(join(folder, '20260102000000_newer'), { recursive: true });
      await expect(prepareSchema(config(), source())).resolves.toBeUndefined();
      write('20260103000000_third', 'CREATE TABLE c (id int)');
      await expect(prepareSchema(config(), source())).rejects.toThrow('1 missing migrations');
      await expect(prepareSchema({ ...config(), MIGRATE_AT_START: true }, source())).resolves.toBeUndefined();
      expect(await missingMigrations(database.url, source())).toEqual([]);
    });
  });
});
