import type { PoolClient } from 'pg';

/** A stored or new response to a request. */
export interface StoredResponse<T> {
  status: number;
  headers?: Record<string, string>;
  body: T;
}

/** A response whose effect is committed. Only a Commit creates one. */
export interface Committed<T> {
  readonly committed: StoredResponse<T>;
}

/**
 * Runs an effect and stores its response in the same transaction. When the effect rejects, the transaction
 * rolls back and no response is stored. The next request with the same key tries again.
 */
export type Commit = <T>(effect: (tx: PoolClient) => Promise<StoredResponse<T>>) => Promise<Committed<T>>;
