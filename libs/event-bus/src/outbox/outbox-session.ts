import { Client, escapeIdentifier, type Pool } from 'pg';
import { type NamedStatement, DETECT_DEAD_PEER, type SqlExecutor } from '../sql';
import { channelSql } from './append-to-outbox';

/**
 * This session only deletes acknowledged rows. When a crash of the server loses a deletion, the row is
 * published again under its old id.
 */
const SETTINGS = `SELECT set_config('synchronous_commit', 'off', false), ${DETECT_DEAD_PEER}`;

const QUERY_TIMEOUT_MS = 10_000;

/**
 * Its own connection to the schema of an outbox. Leadership is an advisory lock that lasts as long as the
 * connection. The same connection listens for appended rows and reads them, so an instance without the lock
 * cannot continue to read.
 */
export class OutboxSession implements SqlExecutor {
  #lost: Error | undefined;
  #notified = false;
  #wake: (() => void) | undefined;

  private constructor(
    private readonly client: Client,
    private readonly onLost: () => void,
  ) {
    client.on('error', this.#lose);
    client.on('end', () => this.#lose(new Error('the connection to the outbox was closed')));
    client.on('notification', () => this.wake());
  }

  /** Connects like the pool, but outside of it. `onLost` is called once when the connection breaks. */
  static async open(pool: Pool, onLost: () => void): Promise<OutboxSession> {
    const session = new OutboxSession(new Client(pool.options), onLost);
    try {
      await session.client.connect();
      await session.query(SETTINGS);
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#lost === undefined;
  }

  /** False while another instance leads. */
  async acquireLeadership(): Promise<boolean> {
    const { rows } = await this.query<{ taken: boolean; channel: string }>(
      `SELECT pg_try_advisory_lock(hashtextextended(${channelSql()}, 0)) AS taken, ${channelSql()} AS channel`,
    );
    if (!rows[0]?.taken) return false;
    await this.query(`LISTEN ${escapeIdentifier(rows[0].channel)}`);
    return true;
  }

  async query<R extends object>(
    statement: string | NamedStatement,
    values: unknown[] = [],
  ): Promise<{ rows: R[]; rowCount: number | null }> {
    if (this.#lost) throw this.#lost;
    const text = typeof statement === 'string' ? { text: statement } : statement;
    const query = { ...text, values, query_timeout: QUERY_TIMEOUT_MS };
    return this.client.query<R>(query);
  }

  /** Resolves when rows were appended since the last call, or after `ms`. */
  async appended(ms: number): Promise<void> {
    if (!this.#notified && this.isOpen) {
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

  /** Ends the wait of `appended`. */
  wake(): void {
    this.#notified = true;
    this.#wake?.();
  }

  /** Closes the connection, which releases the lock. */
  close(): void {
    this.#lost ??= new Error('the connection to the outbox was closed on purpose');
    this.client.end().catch(() => undefined);
  }

  readonly #lose = (error: Error): void => {
    if (this.#lost) return;
    this.#lost = error;
    this.#wake?.();
    this.onLost();
  };
}
