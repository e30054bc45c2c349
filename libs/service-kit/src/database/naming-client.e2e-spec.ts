import { type TestDatabase, createTestDatabase } from '@plimsoll/testing';
import type { Pool } from 'pg';
import { createPool } from './pool';

describe('A connection of a service', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = createPool(database.url, 'public', () => undefined);
  });

  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  /** The texts that the connection has planned. */
  async function planned(run: (query: Pool['query']) => Promise<void>): Promise<string[]> {
    const client = await pool.connect();
    try {
      await run(client.query.bind(client) as Pool['query']);
      const { rows } = await client.query<{ statement: string }>(
        'SELECT statement FROM pg_prepared_statements',
      );
      return rows.map(({ statement }) => statement);
    } finally {
      client.release();
    }
  }

  it('plans a statement once that repeats, and returns the rows of each run', async () => {
    const text = 'SELECT $1::int + 1 AS sum';
    const sums: number[] = [];
    const statements = await planned(async (query) => {
      for (let run = 0; run < 6; run += 1) {
        const { rows } = await query<{ sum: number }>(text, [run]);
        sums.push(rows[0]!.sum);
      }
    });
    expect(statements).toEqual([text]);
    expect(sums).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('shares the name with the other connections', async () => {
    const text = 'SELECT $1::int + 2 AS sum';
    for (let run = 0; run < 4; run += 1) await pool.query(text, [run]);
    expect(await planned(async (query) => void (await query(text, [1])))).toContain(text);
  });

  it('does not plan a statement that runs once, or one without values', async () => {
    const statements = await planned(async (query) => {
      for (let run = 0; run < 6; run += 1) {
        await query(`SELECT $1::int + ${run} AS once`, [run]);
        await query('SELECT 1; SELECT 2');
      }
    });
    expect(statements).toEqual([]);
  });

  it('does not name a statement in an object, so that its values decide about its plan', async () => {
    const text = 'SELECT $1::int + 3 AS sum';
    const statements = await planned(async (query) => {
      for (let run = 0; run < 6; run += 1) await query({ text, values: [run] });
    });
    expect(statements).toEqual([]);
  });

  it('continues after another connection has changed the table', async () => {
    await pool.query('CREATE TABLE things (id int)');
    const text = 'SELECT id FROM things WHERE id = ANY($1)';
    const statements = await planned(async (query) => {
      for (let run = 0; run < 8; run += 1) {
        await query(text, [[run]]);
        if (run === 5) await pool.query('ALTER TABLE things ADD COLUMN name text');
      }
    });
    expect(statements).toEqual([text]);
  });

  it('plans a bounded number of statements', async () => {
    const statements = await planned(async (query) => {
      for (let at = 0; at < 250; at += 1)
        for (let run = 0; run < 4; run += 1) await query(`SELECT $1::int + ${at} AS bounded`, [run]);
    });
    expect(statements.length).toBeLessThanOrEqual(200);
    expect(statements.length).toBeGreaterThan(100);
  });
});
