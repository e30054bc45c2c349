import { escapeIdentifier, type Pool, type PoolClient } from 'pg';
import { channelSql } from './append-to-outbox';

/** A dead peer is noticed by the server after about 11 s, so that the lock of a vanished leader is given up. */
const KEEP_ALIVE = `
SELECT set_config('tcp_keepalives_idle', '5', false),
       set_config('tcp_keepalives_interval', '2', false),
       set_config('tcp_keepalives_count', '3', false)`;

const QUERY_TIMEOUT_MS = 10_000;

/**
 * Leadership over the outbox of one schema: an advisory lock that lives as long as its connection does. The same
 * connection listens for appended rows and reads them, so a leader that has lost the lock cannot read on.
 */
export class OutboxLease {
  #lost: Error | undefined;
  #notified = false;
  #wake: (() => void) | undefined;

  private constructor(
    private readonly client: PoolClient,
    private readonly onLost: () => void,
  ) {
    client.on('error', this.#onError).on('end', this.#onEnd).on('notification', this.#notify);
  }

  /** Undefined while another instance leads. `onLost` is called once, when the connection breaks. */
  static async take(pool: Pool, onLost: () => void): Promise<OutboxLease | undefined> {
    const client = await pool.connect();
    const lease = new OutboxLease(client, onLost);
    try {
      const { rows } = await lease.query<{ taken: boolean; channel: string }>(
        `SELECT pg_try_advisory_lock(hashtextextended(${channelSql()}, 0)) AS taken, ${channelSql()} AS channel`,
      );
      const [row] = rows;
      if (!row?.taken) {
        lease.#detach();
        client.release();
        return undefined;
      }
      await lease.query(KEEP_ALIVE);
      await lease.query(`LISTEN ${escapeIdentifier(row.channel)}`);
      return lease;
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  get lost(): boolean {
    return this.#lost !== undefined;
  }

  async query<R extends object>(
    text: string,
    values: unknown[] = [],
  ): Promise<{ rows: R[]; rowCount: number | null }> {
    if (this.#lost) throw this.#lost;
    const query = { text, values, query_timeout: QUERY_TIMEOUT_MS };
    return this.client.query<R>(query);
  }

  /** Resolves when rows were appended since the last call, or after `ms`. */
  async appended(ms: number): Promise<void> {
    if (!this.#notified && !this.#lost) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#notified = false;
  }

  /** Ends a wait early; for a stop. */
  interrupt(): void {
    this.#notify();
  }

  /** Closes the connection, which gives the lock up. */
  release(): void {
    this.#lost ??= new Error('the lease was given back');
    this.client.release(true);
  }

  #detach(): void {
    this.client.off('error', this.#onError).off('end', this.#onEnd).off('notification', this.#notify);
  }

  readonly #notify = (): void => {
    this.#notified = true;
    this.#wake?.();
  };

  readonly #onEnd = (): void => this.#onError(new Error('the connection was closed'));

  readonly #onError = (error: Error): void => {
    if (this.#lost) return;
    this.#lost = error;
    this.#wake?.();
    this.onLost();
  };
}
