import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import { migrate } from '@plimsoll/service-kit';
import { type TestDatabase, createTestDatabase } from '@plimsoll/testing';
import { Client } from 'pg';
import { LIBRARY, SERVICES, migrationsOf } from './services';

const NAMES = LIBRARY.map(({ name }) => name);

/** Services whose own migrations created the tables before the libraries had migrations. */
const WITH_LIBRARY = SERVICES.filter(([, , library]) => library.includes(OUTBOX_MIGRATION));

describe('migrations of libraries', () => {
  let database: TestDatabase;
  let client: Client;
  let empty: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    empty = mkdtempSync(path.join(tmpdir(), 'migrations-'));
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
    rmSync(empty, { recursive: true });
  });

  /** Columns and indexes of the tables that libraries create. */
  async function shapeOf(schema: string): Promise<object> {
    const tables = ['outbox', 'inbox', 'idempotency'];
    const columns = await client.query<Record<string, unknown>>(
      `SELECT table_name, ordinal_position, column_name, data_type, is_nullable, replace(column_default, $1 || '.', '') AS preset
       FROM information_schema.columns WHERE table_schema = $1 AND table_name = ANY($2) ORDER BY 1, 2`,
      [schema, tables],
    );
    const indexes = await client.query<Record<string, unknown>>(
      `SELECT tablename, indexname, replace(indexdef, $1 || '.', '') AS definition
       FROM pg_indexes WHERE schemaname = $1 AND tablename = ANY($2) ORDER BY 1, 2`,
      [schema, tables],
    );
    return { columns: columns.rows, indexes: indexes.rows };
  }

  it('create the tables of a new service before its own migrations', async () => {
    expect(await migrate(database.url, 'new_service', empty, LIBRARY)).toEqual(NAMES);
    expect(await migrate(database.url, 'new_service', empty, LIBRARY)).toEqual([]);
    await migrate(database.url, 'alerts_before', migrationsOf('alerts'));
    expect(await shapeOf('new_service')).toEqual(await shapeOf('alerts_before'));
  });

  it.each(WITH_LIBRARY)(
    'upgrade an old database of %s without a change to its tables',
    async (app, schema, library) => {
      await migrate(database.url, schema, migrationsOf(app));
      const before = await shapeOf(schema);
      await client.query(`SET search_path TO ${schema}`);
      await client.query(`INSERT INTO outbox (event_id, topic, key) VALUES ('evt_1', 'a.v1', 'key')`);
      expect(await migrate(database.url, schema, migrationsOf(app), library)).toEqual(
        library.map(({ name }) => name),
      );
      expect(await shapeOf(schema)).toEqual(before);
      const { rows } = await client.query<{ event_id: string }>('SELECT event_id FROM outbox');
      expect(rows).toEqual([{ event_id: 'evt_1' }]);
      expect(await migrate(database.url, schema, migrationsOf(app), library)).toEqual([]);
    },
  );

  it.each(WITH_LIBRARY)('apply to an empty database of %s', async (app, schema, library) => {
    const applied = await migrate(database.url, `${schema}_fresh`, migrationsOf(app), library);
    expect(applied).toEqual(expect.arrayContaining(library.map(({ name }) => name)));
    expect(applied).toEqual([...applied].sort());
  });
});
