import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. A connection that fails to
 * roll back is thrown away.
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

/** The statement in work, or the next one, rejects with the same error; without a listener it would end the process. */
function ignore(): void {}
