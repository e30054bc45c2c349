import { randomUUID } from 'node:crypto';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  Clock,
  PeriodicTask,
  type PeriodicTaskOptions,
  type RoundResult,
  inTransaction,
  within,
} from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import { isLeading } from '../metrics';
import { LeaseRepository, NotLeadingError } from './lease.repository';

const LEASE_MS = 9_000;
const RENEW_MS = 3_000;
const RENEW_DEADLINE_MS = 3_000;

/** Work that only one instance does. */
export interface LeaderJob {
  start(): void;
  /** Resolves when no part of it runs. */
  stop(): Promise<void>;
}

/** Runs the registered jobs on the instance that holds the lease. */
@Injectable()
export class Leader implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('leader');
  private readonly holder = randomUUID();
  private readonly jobs: LeaderJob[] = [];
  private leads = false;
  private renewedAtMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly lease: LeaseRepository,
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Call it before the application starts. */
  register(job: LeaderJob): void {
    this.jobs.push(job);
  }

  /** As `register`, for repeated work. A round that no longer leads ends without an error. */
  repeat(options: PeriodicTaskOptions): void {
    const round = (signal: AbortSignal): Promise<RoundResult> =>
      options.round(signal).catch((error: unknown) => {
        if (!(error instanceof NotLeadingError)) throw error;
      });
    this.register(new PeriodicTask({ ...options, round, random: () => this.clock.random() }));
  }

  onApplicationBootstrap(): void {
    this.turn();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.working;
    if (!this.leads) return;
    await this.end();
    await this.lease.release(this.holder).catch((error: unknown) => {
      this.logger.warn({ msg: 'the lease could not be released; it expires', err: error });
    });
  }

  /**
   * Runs a transaction that commits only while this instance leads.
   * @throws NotLeadingError
   */
  transaction<T>(work: (tx: PoolClient) => Promise<T>): Promise<T> {
    return inTransaction(this.pool, async (tx) => {
      await this.lease.hold(tx, this.holder);
      return work(tx);
    });
  }

  private turn(): void {
    this.working = this.renew().finally(() => {
      if (!this.isStopping)
        this.timer = setTimeout(() => this.turn(), RENEW_MS * (0.9 + this.clock.random() / 5));
    });
  }

  private async renew(): Promise<void> {
    // The lease starts at the request to the database, however late its response is.
    const askedAtMs = this.clock.now();
    const late = (): Error => new Error(`no response from the database within ${RENEW_DEADLINE_MS} ms`);
    try {
      const leads = await within(RENEW_DEADLINE_MS, this.lease.acquire(this.holder, LEASE_MS), late);
      this.renewedAtMs = askedAtMs;
      if (leads && !this.leads) this.begin();
      if (!leads && this.leads) await this.end();
    } catch (error) {
      this.logger.warn({ msg: 'the lease could not be renewed; tried again', err: error });
      // Another instance may lead at the next attempt.
      if (this.leads && this.clock.now() - this.renewedAtMs >= LEASE_MS - RENEW_MS) await this.end();
    }
  }

  private begin(): void {
    this.leads = true;
    isLeading.set(1);
    this.logger.log({ msg: 'this instance leads' });
    for (const job of this.jobs) job.start();
  }

  private async end(): Promise<void> {
    this.leads = false;
    isLeading.set(0);
    this.logger.log({ msg: 'this instance no longer leads' });
    await Promise.all(this.jobs.map((job) => job.stop()));
  }
}
