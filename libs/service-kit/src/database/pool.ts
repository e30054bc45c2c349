import { Pool } from 'pg';
import { NamingClient } from './naming-client';

/** Connections of the shared pool. With the connection of the outbox relay a service uses at most 4. */
const POOL_SIZE = 3;

/**
 * Creates the pool of a service. Every statement runs in the service's own schema and has a deadline.
 * @param onError receives the error of a connection that failed while idle; the pool replaces it
 */
export function createPool(databaseUrl: string, schema: string, onError: (error: Error) => void): Pool {
  const pool = new Pool({
    Client: NamingClient,
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
