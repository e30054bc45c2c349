import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { PositionsConfig } from '../config';
import { heldShards } from '../metrics';
import { shardOf, shardsOf } from './shard-of';

const BEATS_PER_LEASE = 5;
/** Rows of instances that stopped permanently. */
const DELETED_AFTER_MS = 600_000;

/**
 * Renews the own row and lists all instances that renewed theirs within the lease, by the clock of the
 * database.
 */
const BEAT = `
WITH own AS (
  INSERT INTO instances (id, seen_at) VALUES ($1, clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
), gone AS (
  DELETE FROM instances WHERE seen_at < clock_timestamp() - $3 * interval '1 ms' AND id <> $1
)
SELECT id FROM instances WHERE seen_at >= clock_timestamp() - $2 * interval '1 ms'`;

/**
 * The shards of this instance. Two instances may claim the same shard for a short time: a state is written
 * only on top of the one that it was compared with. If no instance claims a shard, for a lease at most, its
 * changes wait.
 */
@Injectable()
export class Shards implements BeforeApplicationShutdown {
  private readonly logger = new Logger('shards');
  private readonly id: string;
  private held: ReadonlySet<number>;
  private listeners: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private beating: Promise<void> | undefined;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly config: PositionsConfig,
  ) {
    // The same after a restart: an instance that restarts keeps its shards.
    this.id = config.PORT === 0 ? randomUUID() : `${hostname()}:${config.PORT}`;
    this.held = shardsOf(this.id, []);
  }

  /** Whether this instance follows the wallet (lower case). */
  isOwn(wallet: string): boolean {
    return this.held.has(shardOf(wallet));
  }

  /** Called when the set of shards changed. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Joins the others. @throws when the database does not respond */
  async start(): Promise<void> {
    await this.beat();
    this.schedule();
  }

  /** Deletes the lease, so that the others need not wait for its end. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.beating;
    await this.pool.query('DELETE FROM instances WHERE id = $1', [this.id]).catch((error: unknown) => {
      this.logger.warn({ msg: 'the others take over the shards when the lease has expired', err: error });
    });
  }

  private schedule(): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => {
      this.beating = this.beat()
        .catch((error: unknown) =>
          this.logger.warn({
            msg: 'cannot read from the database which instances share the wallets',
            err: error,
          }),
        )
        .finally(() => this.schedule());
    }, this.config.SHARD_LEASE_MS / BEATS_PER_LEASE);
  }

  private async beat(): Promise<void> {
    const { SHARD_LEASE_MS } = this.config;
    const { rows } = await this.pool.query<{ id: string }>(BEAT, [this.id, SHARD_LEASE_MS, DELETED_AFTER_MS]);
    const alive = rows.map(({ id }) => id);
    const held = shardsOf(this.id, alive);
    const isSame = held.size === this.held.size && [...held].every((shard) => this.held.has(shard));
    this.held = held;
    heldShards.set(held.size);
    if (isSame) return;
    this.logger.log({
      msg: 'the shards of this instance changed',
      shards: held.size,
      instances: alive.length,
    });
    for (const listener of this.listeners) listener();
  }
}
