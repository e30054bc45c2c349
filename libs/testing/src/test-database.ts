import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { testAddress } from './test-addresses';

/** A database of one test file. */
export interface TestDatabase {
  url: string;
  /** Ends the sessions that still use it and removes it. */
  drop(): Promise<void>;
}

/** A new empty database on the shared Postgres. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = testAddress('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(adminUrl, `CREATE DATABASE ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    query_timeout: 30_000,
  });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
