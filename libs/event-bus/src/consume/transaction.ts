import { TransientError } from '@plimsoll/contracts';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { within } from '../backoff';
import type { NamedStatement, SqlExecutor } from '../sql';

const ROLLBACK_TIMEOUT_MS = 5_000;

/**
 * A transaction that begins with its first statement. A handler without database access uses no connection.
 */
class LazyTransaction implements SqlExecutor {
  #begun: Promise<PoolClient> | undefined;
  #closed = false;

  constructor(private readonly pool: Pool) {}

  async query<R extends object>(
    statement: string | NamedStatement,
    values?: unknown[],
  ): Promise<{ rows: R[]; rowCount: number | null }> {
    if (this.#closed)
      throw new Error('The transaction of this batch is over. Await every query in the handler.');
    const client = await (this.#begun ??= this.#begin());
    return client.query<R & QueryResultRow>(statement, values);
  }

  async commit(): Promise<void> {
    this.#closed = true;
    if (!this.#begun) return;
    const client = await this.#begun;
    const { command } = await client.query('COMMIT');
    // Postgres responds to the COMMIT of a failed transaction with ROLLBACK and no error.
    if (command !== 'COMMIT')
      throw new Error('A statement failed and the handler continued. Do not catch its error.');
    release(client);
  }

  /** Returns a working connection to the pool and closes any other. Never rejects. */
  async rollback(): Promise<void> {
    this.#closed = true;
    const client = await this.#begun?.catch(() => undefined);
    if (!client) return;
    try {
      await within(
        ROLLBACK_TIMEOUT_MS,
        client.query('ROLLBACK'),
        () => new Error('the rollback took too long'),
      );
      release(client);
    } catch {
      client.release(true);
    }
  }

  async #begin(): Promise<PoolClient> {
    const client = await this.pool.connect();
    client.on('error', ignore);
    try {
      await client.query('BEGIN');
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}

function release(client: PoolClient): void {
  client.off('error', ignore);
  client.release();
}

/**
 * The current statement rejects with the same error. A missing listener would let the error end the process.
 */
function ignore(): void {}

/** Commits when the work is done. Rolls back when it throws or has not settled within `timeoutMs`. */
export async function inTransaction(
  pool: Pool,
  timeoutMs: number,
  work: (tx: SqlExecutor) => Promise<void>,
): Promise<void> {
  const tx = new LazyTransaction(pool);
  const done = async (): Promise<void> => {
    await work(tx);
    await tx.commit();
  };
  try {
    await within(timeoutMs, done(), () => new TransientError(`the handler took longer than ${timeoutMs} ms`));
  } catch (error) {
    await tx.rollback();
    throw error;
  }
}
