import type { PoolClient } from 'pg';

/** What a call is answered with. */
export interface Answer<T> {
  status: number;
  headers?: Record<string, string>;
  body: T;
}

/** An answer whose effect is committed. Only a Commit makes one. */
export interface Committed<T> {
  readonly committed: Answer<T>;
}

/**
 * Runs an effect in one transaction, and with it writes down the answer it resolves with: both are there or neither.
 * An effect that rejects is rolled back and its error is no answer: the next call with the same key tries again.
 */
export type Commit = <T>(effect: (tx: PoolClient) => Promise<Answer<T>>) => Promise<Committed<T>>;
