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

/**
 * Encrypts stored responses that contain a secret. `owner` names the row. Opening a sealed response for any
 * other row must fail.
 */
export abstract class ResponseSeal {
  abstract seal(text: string, owner: string): { keyId: string; sealed: Uint8Array };
  /** @throws when the key is missing, when the bytes changed, and when they belong to another row */
  abstract open(response: { keyId: string; sealed: Uint8Array }, owner: string): string;
}
