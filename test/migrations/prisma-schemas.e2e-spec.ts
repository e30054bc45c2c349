import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '@plimsoll/service-kit';
import { type TestDatabase, createTestDatabase } from '@plimsoll/testing';
import { Client } from 'pg';
import { APPS, SERVICES, migrationsOf } from './services';

const run = promisify(execFile);
const TOOL = path.join(__dirname, '../../tools/prisma-diff.mjs');

describe('schema.prisma and migrations', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());

  /** The SQL that would make the database equal to schema.prisma. Empty when it is. */
  async function differences(app: string, schema: string): Promise<string> {
    const args = [TOOL, `apps/${app}`, database.url, schema];
    try {
      await run(process.execPath, args, { timeout: 60_000 });
      return '';
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      if (code !== 2) throw new Error(`prisma-diff ended with ${code}: ${stderr}`, { cause: error });
      return stdout;
    }
  }

  it('belong to every service with tables', () => {
    const schemas = globSync('*/prisma/schema.prisma', { cwd: APPS });
    const migrated = globSync('*/prisma/migrations', { cwd: APPS });
    const apps = (files: string[]): string[] => files.map((file) => file.split(path.sep)[0] ?? '').sort();
    expect(apps(schemas)).toEqual(SERVICES.map(([app]) => app));
    expect(apps(migrated)).toEqual(SERVICES.map(([app]) => app));
  });

  it.each(SERVICES)('agree in %s', async (app, schema, library) => {
    await migrate(database.url, schema, migrationsOf(app), library);
    expect(await differences(app, schema)).toBe('');
  });

  it('show a column that only the database has', async () => {
    await migrate(database.url, 'changed', migrationsOf('ai'));
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('ALTER TABLE changed.answers ADD COLUMN extra text');
    await client.end();
    expect(await differences('ai', 'changed')).toContain('DROP COLUMN "extra"');
  });
});
