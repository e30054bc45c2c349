import { type TestDatabase, createTestDatabase } from '@plimsoll/testing';
import type { Pool } from 'pg';
import { withAdvisoryLock } from './advisory-lock';
import { createPool } from './pool';

describe('withAdvisoryLock', () => {
  let database: TestDatabase;
  let pools: Pool[];

  beforeAll(async () => {
    database = await createTestDatabase();
    pools = [1, 2].map(() => createPool(database.url, 'public', () => undefined));
  }, 30_000);
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.drop();
  });

  it('runs the work of one session at a time, then that of the next', async () => {
    const [one, other] = pools as [Pool, Pool];
    const inside = await withAdvisoryLock(one, 'lock', () =>
      withAdvisoryLock(other, 'lock', async () => 'both'),
    );
    expect(inside).toBeUndefined();
    expect(await withAdvisoryLock(other, 'lock', async () => 'next')).toBe('next');
  });

  it('releases the lock when the work fails', async () => {
    const [one, other] = pools as [Pool, Pool];
    await expect(
      withAdvisoryLock(one, 'lock', () => Promise.reject(new Error('the work failed'))),
    ).rejects.toThrow('the work failed');
    expect(await withAdvisoryLock(other, 'lock', async () => 'next')).toBe('next');
  });

  it('releases the lock when the connection is lost and discards the broken connection', async () => {
    const [one, other] = pools as [Pool, Pool];
    await withAdvisoryLock(one, 'lock', () =>
      other.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      ),
    );
    expect(await withAdvisoryLock(other, 'lock', async () => 'next')).toBe('next');
    expect(await withAdvisoryLock(one, 'lock', async () => 'again')).toBe('again');
  });
});
