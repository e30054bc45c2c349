import { Pool } from 'pg';

/** Connections of the shared pool; with the one of the outbox relay a service keeps at most 4 (architecture.md, Rules 9). */
const POOL_SIZE = 3;

/**
 * The pool of a service: every statement runs in the service's own schema, and none runs for ever.
 * @param onError told of a connection that died while idle; the pool replaces it
 */
export function createPool(databaseUrl: string, schema: string, onError: (error: Error) => void): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: `plimsoll-${schema}`,
    options: `-c search_path=${schema}`,
    keepAlive: true,
  });
  pool.on('error', onError);
  return pool;
}
