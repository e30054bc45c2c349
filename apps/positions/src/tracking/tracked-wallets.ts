import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import type { Address } from 'viem';
import { PositionsConfig } from '../config';
import { trackedWallets } from '../metrics';
import { Shards } from '../shards/shards';

const SOON_MS = 100;

const SELECT_WATCHED = `
SELECT address FROM watched_wallets WHERE enabled
UNION
SELECT k.wallet AS address FROM rules AS r JOIN position_keys AS k ON k.id = r.position_id WHERE r.is_active`;

/**
 * The wallets that at least one account watches or has a rule on, synchronised with the database. It also lists
 * those that this instance follows: the wallets of its shards. It also follows the wallets that a request to
 * this instance added, for some time, until their own instance has read them.
 */
@Injectable()
export class TrackedWallets implements OnApplicationShutdown {
  private readonly logger = new Logger('tracked-wallets');
  private wallets = new Set<Address>();
  private own: readonly Address[] = [];
  private readonly adoptedUntilMs = new Map<Address, number>();
  /** Added during the current database query, which may not include them yet. */
  private addedMeanwhile = new Set<Address>();
  private listeners: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isRefreshRequested = false;
  private isRefreshing = false;
  private isClosed = false;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly config: PositionsConfig,
    private readonly shards: Shards,
  ) {}

  /** Called when the set has changed. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** The wallets that this instance follows, in lower case. */
  list(): readonly Address[] {
    return this.own;
  }

  /** Tracks a wallet immediately. The transaction that makes it watched must be committed. */
  add(wallet: Address): void {
    this.addedMeanwhile.add(wallet);
    if (this.wallets.has(wallet)) return;
    this.wallets.add(wallet);
    if (!this.shards.isOwn(wallet))
      this.adoptedUntilMs.set(wallet, Date.now() + 2 * this.config.TRACKING_REFRESH_MS);
    this.changed([...this.own, wallet]);
  }

  /** Queries the database a little later, when an open transaction has had time to commit. */
  refreshSoon(): void {
    // Many requests in a row must not move the query on and on.
    if (this.isRefreshRequested) return;
    this.isRefreshRequested = true;
    if (!this.isRefreshing) this.schedule();
  }

  /**
   * Reads the set from the database, now and from then on every TRACKING_REFRESH_MS. @throws when it cannot
   * be read
   */
  async start(): Promise<void> {
    await this.shards.start();
    this.shards.onChange(() => this.changed());
    await this.refresh();
    this.schedule();
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (this.isClosed) return;
    const waitMs = this.isRefreshRequested ? SOON_MS : this.config.TRACKING_REFRESH_MS;
    this.timer = setTimeout(() => void this.refreshThenContinue(), waitMs);
  }

  private async refreshThenContinue(): Promise<void> {
    this.isRefreshRequested = false;
    this.isRefreshing = true;
    try {
      await this.refresh();
    } catch (error) {
      if (!this.isClosed)
        this.logger.warn({ msg: 'tracked wallets cannot be read; the next round tries again', err: error });
    } finally {
      this.isRefreshing = false;
      this.schedule();
    }
  }

  private async refresh(): Promise<void> {
    this.addedMeanwhile.clear();
    const { rows } = await this.pool.query<{ address: Address }>(SELECT_WATCHED);
    const before = this.wallets;
    const addresses = new Set([...rows.map(({ address }) => address), ...this.addedMeanwhile]);
    this.wallets = addresses;
    const isSame = before.size === addresses.size && [...addresses].every((address) => before.has(address));
    const isOver = this.endAdoptions();
    if (!isSame || isOver) this.changed();
  }

  private endAdoptions(): boolean {
    const over = [...this.adoptedUntilMs].filter(([, untilMs]) => untilMs <= Date.now());
    for (const [wallet] of over) this.adoptedUntilMs.delete(wallet);
    return over.length > 0;
  }

  private isOwn(wallet: Address): boolean {
    return this.shards.isOwn(wallet) || this.adoptedUntilMs.has(wallet);
  }

  /** @param own a new list each time, so that readers of the previous one are not disturbed */
  private changed(own = [...this.wallets].filter((wallet) => this.isOwn(wallet))): void {
    this.own = own;
    trackedWallets.set(own.length);
    for (const listener of this.listeners) listener();
  }
}
