import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in one transaction. Commits when it resolves and rolls back when it rejects. A connection that
 * fails to roll back is closed.
 */
export async function inTransaction<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  client.on('error', ignore);
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}

/**
 * The current or next statement rejects with the same error. A missing listener would let the error end the
 * process.
 */
function ignore(): void {}
