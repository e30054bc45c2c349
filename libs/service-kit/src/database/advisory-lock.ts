import type { Pool } from 'pg';

/**
 * Runs `work` unless another session holds the lock of this name. In that case it returns undefined. The lock
 * uses one connection of the pool while the work runs and ends with that connection. Work that must never run
 * twice therefore also needs a unique key in its tables.
 */
export async function withAdvisoryLock<T>(
  pool: Pool,
  name: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const lost = (error: Error): void => {
    broken = error;
  };
  client.on('error', lost);
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken',
      [name],
    );
    if (!rows[0]?.taken) return undefined;
    try {
      return await work();
    } finally {
      await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(lost);
    }
  } finally {
    client.off('error', lost);
    client.release(broken);
  }
}
