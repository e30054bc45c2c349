import { randomUUID } from 'node:crypto';
import { Client, type Pool } from 'pg';
import { backoffMs, pause } from '../backoff';
import type { EventBusOptions } from '../options';
import { DETECT_DEAD_PEER } from '../sql';

const BACKOFF_BASE_MS = 100;
const BACKOFF_CAP_MS = 5_000;

/** The lock of one instance. `token` is an SQL expression. */
const lockOf = (token: string): string => `hashtextextended('member_' || ${token}, 0)`;

const SHOW = `SELECT pg_advisory_lock(${lockOf('$1')}), ${DETECT_DEAD_PEER}`;

/**
 * A shared lock, so that two simultaneous checks do not mistake each other for the instance. It ends with the
 * statement.
 */
const ABSENT = `
SELECT token FROM unnest($1::text[]) AS token WHERE pg_try_advisory_xact_lock_shared(${lockOf('token')})`;

/**
 * Shows that this instance of a consumer is alive: an advisory lock under its token, on its own connection. A
 * killed process loses the connection and the lock immediately. A machine that disappears loses it after
 * about 11 s.
 */
export class MemberPresence {
  /** UUID. */
  readonly token = randomUUID();
  readonly #closed = new AbortController();
  #client: Client | undefined;

  constructor(private readonly options: Pick<EventBusOptions, 'pool' | 'logger' | 'random'>) {}

  /** Rejects when the database is unavailable. Later it replaces a lost connection until `close`. */
  async show(): Promise<void> {
    if (this.#client || this.#closed.signal.aborted) return;
    const client = new Client(this.options.pool.options);
    const lost = (): void => {
      if (this.#client !== client) return;
      this.#client = undefined;
      void this.#showAgain();
    };
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.connect();
      await client.query(SHOW, [this.token]);
      this.#client = client;
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    if (this.#closed.signal.aborted) this.close();
  }

  close(): void {
    this.#closed.abort();
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => undefined);
  }

  async #showAgain(): Promise<void> {
    const { logger, random = Math.random } = this.options;
    for (let attempt = 1; !this.#closed.signal.aborted; attempt += 1) {
      await pause(backoffMs(attempt, BACKOFF_BASE_MS, BACKOFF_CAP_MS, random), this.#closed.signal);
      try {
        return await this.show();
      } catch (error) {
        logger.debug({ err: error }, 'cannot show the presence of this consumer; it retries');
      }
    }
  }
}

/** Returns the tokens without a lock. An instance that has just lost its connection is among them. */
export async function findStale(pool: Pool, tokens: readonly string[]): Promise<Set<string>> {
  if (tokens.length === 0) return new Set();
  const { rows } = await pool.query<{ token: string }>(ABSENT, [tokens]);
  return new Set(rows.map(({ token }) => token));
}
