import { mkdir, rm } from 'node:fs/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { RefusedAct } from '@plimsoll/devnet';
import { ensureDatabase } from '@plimsoll/local-parts';
import { Clock, within } from '@plimsoll/service-kit';
import { SandboxConfig } from '../config';
import type { MarketAction } from '../market/market-action';
import { type ActionResult, RestoreError, TestChain } from '../market/test-chain';
import { activeSandboxes } from '../metrics';
import { ServicePlane } from '../plane/service-plane';
import { Deadline } from './deadline';
import { databaseName, databasePrefix, placeOf } from './place';
import { BUSY, LATE, Refusal, STARTING, away } from './problems';
import { SandboxTopics } from './sandbox-topics';
import { SandboxesRepository } from './sandboxes.repository';

/** A request waits for a start this long, so that some of its deadline is left for the response. */
const START_WAIT_MS = 10_000;
/** An action with less time left is not begun. It takes about 50 ms. */
const ACTION_MS = 1_000;
const MOST_WAITING_ACTIONS = 16;
const REMOVED_A_ROUND = 20;
/** The services of a market have up to 30, and their migrations some more at its first start. */
const MOST_CONNECTIONS = 40;
/** A market that was idle for this long leaves its place to that of another account. */
const EVICTABLE_MS = 120_000;
/** A chain with all its actions. 500 actions take about 25 s, and the deployment some more on a busy machine. */
const RESTORE_MS = 120_000;
const TOUCH_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A started market with its services. */
export interface RunningSandbox {
  chain: TestChain;
  plane: ServicePlane;
  startedAt: Date;
}

interface Active {
  starting: Promise<RunningSandbox>;
  running?: RunningSandbox;
  lastUsedAtMs: number;
  /** The time of use that is stored. */
  storedUsedAtMs: number;
  /** Actions and the stop wait for each other. */
  last: Promise<unknown>;
  waitingActions: number;
}

/** A stop, reset or removal in progress. */
interface Ending {
  kind: 'stop' | 'reset' | 'removal';
  done: Promise<void>;
}

/** The test markets of this process. Each starts with the first request of its account. */
@Injectable()
export class Sandboxes implements BeforeApplicationShutdown {
  private readonly logger = new Logger('sandboxes');
  private readonly active = new Map<string, Active>();
  /** Until its data are as they should be, no market of the account starts. */
  private readonly ending = new Map<string, Ending>();
  private isStopping = false;

  constructor(
    private readonly config: SandboxConfig,
    private readonly repository: SandboxesRepository,
    private readonly topics: SandboxTopics,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the market of an account, and starts it when it does not run.
   * @throws Problem sandbox_starting, sandbox_capacity, upstream_unavailable
   */
  async use(accountId: string, deadline: Deadline): Promise<RunningSandbox> {
    return this.started(this.activeOf(accountId), deadline);
  }

  /**
   * Returns what the work reads from the market of an account.
   * @throws Problem as use; upstream_unavailable, upstream_timeout
   */
  async read<T>(accountId: string, work: (running: RunningSandbox) => Promise<T>): Promise<T> {
    const deadline = new Deadline();
    const running = await this.use(accountId, deadline);
    try {
      return await within(deadline.leftMs, work(running), () => LATE);
    } catch (error) {
      throw error === LATE ? LATE : away(error);
    }
  }

  /**
   * Records an action and applies it, after those before it. It is not done after any problem but conflict.
   * @throws Problem as use; conflict when the market refuses it, too_many_in_flight, upstream_timeout
   */
  async act(accountId: string, action: MarketAction, deadline: Deadline): Promise<ActionResult> {
    const active = this.activeOf(accountId);
    const { chain } = await this.started(active, deadline);
    if (active.waitingActions >= MOST_WAITING_ACTIONS) throw BUSY;
    active.waitingActions += 1;
    const result = active.last
      .then(() => this.apply(accountId, chain, action, deadline))
      .finally(() => (active.waitingActions -= 1));
    active.last = result.catch(() => undefined);
    return within(deadline.leftMs, result, () => LATE);
  }

  /**
   * Stops the market of an account and begins a new one, without its data. It goes on after the deadline.
   * @throws Problem sandbox_starting, daily_limit_exceeded, upstream_timeout
   */
  async reset(accountId: string, deadline: Deadline): Promise<void> {
    await this.repository.assertReset(accountId, new Date(this.clock.now()));
    if (this.isStopping) throw STARTING;
    const done = this.end(accountId, 'reset', async () => {
      const former = await this.repository.reset(accountId, new Date(this.clock.now()));
      if (!former) return;
      await this.repository.dropDatabase(databaseName(this.config, former));
      await this.topics
        .remove((account, generation) => account === accountId && generation <= former.generation)
        .catch((error: unknown) =>
          this.logger.warn({
            msg: 'topics remain after a reset; the sweeper removes them',
            accountId,
            err: error,
          }),
        );
    });
    await within(deadline.leftMs, done, () => LATE);
  }

  /** Stops the markets without a request since SANDBOX_IDLE_MS. */
  async stopIdle(nowMs: number): Promise<void> {
    const idle = [...this.active].filter(
      ([, { running, lastUsedAtMs }]) => running && nowMs - lastUsedAtMs >= this.config.SANDBOX_IDLE_MS,
    );
    await Promise.all(idle.map(([accountId]) => this.stop(accountId)));
  }

  /** Stores each hour when the active markets were last used. */
  async touchActive(): Promise<void> {
    for (const [accountId, active] of this.active) {
      const { lastUsedAtMs, storedUsedAtMs } = active;
      if (lastUsedAtMs - storedUsedAtMs < TOUCH_MS) continue;
      await this.repository.touch(accountId, new Date(lastUsedAtMs));
      active.storedUsedAtMs = lastUsedAtMs;
    }
  }

  /** Removes markets without a request for SANDBOX_KEEP_DAYS, with all their data. */
  async removeUnused(nowMs: number): Promise<boolean> {
    const before = new Date(nowMs - this.config.SANDBOX_KEEP_DAYS * DAY_MS);
    const unused = await this.repository.unusedSince(before, REMOVED_A_ROUND);
    for (const stored of unused) {
      const { accountId } = stored;
      if (this.isOccupied(accountId)) continue;
      await this.end(accountId, 'removal', async () => {
        await this.topics.remove((account) => account === accountId);
        await this.repository.dropDatabase(databaseName(this.config, stored));
        await rm(placeOf(this.config, stored).folder, { recursive: true, force: true });
        await this.repository.remove(accountId);
      });
    }
    return unused.length === REMOVED_A_ROUND;
  }

  /** Removes databases and topics of former generations, which an interrupted reset left. */
  async sweep(): Promise<void> {
    // Before the generations: a market is stored before its database is created.
    const databases = await this.repository.databases(databasePrefix(this.config));
    const generations = await this.repository.generations();
    const kept = new Set(
      [...generations].map(([accountId, generation]) => databaseName(this.config, { accountId, generation })),
    );
    for (const name of databases) if (!kept.has(name)) await this.repository.dropDatabase(name);
    await this.topics.remove(
      (accountId, generation) => !this.isOccupied(accountId) && generations.get(accountId) !== generation,
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    const accounts = [...this.active.keys(), ...this.ending.keys()];
    await Promise.all(accounts.map((accountId) => this.stop(accountId)));
  }

  /** True: its data are in use, or about to change. */
  private isOccupied(accountId: string): boolean {
    return this.active.has(accountId) || this.ending.has(accountId);
  }

  private activeOf(accountId: string): Active {
    if (this.ending.has(accountId) || this.isStopping) throw STARTING;
    const known = this.active.get(accountId);
    if (known) return known;
    const { SANDBOX_MOST_ACTIVE: most } = this.config;
    if (this.active.size >= most) {
      if (this.makesPlace()) throw STARTING;
      const detail = `All ${most} test markets are in use. One leaves its place after two minutes without a request. Try again after Retry-After.`;
      throw new Problem('sandbox_capacity', detail, { headers: { 'Retry-After': '60' } });
    }
    const nowMs = this.clock.now();
    const active: Active = {
      starting: this.start(accountId),
      lastUsedAtMs: nowMs,
      storedUsedAtMs: nowMs,
      last: Promise.resolve(),
      waitingActions: 0,
    };
    this.active.set(accountId, active);
    activeSandboxes.set(this.active.size);
    active.starting.then(
      (running) => {
        active.running = running;
        active.lastUsedAtMs = this.clock.now();
        // A process that ended by itself ends the others, and the next request starts all.
        const ended = (): void => {
          if (this.active.get(accountId) === active) this.stopSoon(accountId);
        };
        void running.chain.exited.then(ended);
        void running.plane.exited.then(ended);
      },
      (error: unknown) => {
        this.logger.error({ msg: 'a test market did not start', accountId, err: error });
        this.forget(accountId, active);
      },
    );
    return active;
  }

  /** True: a market is stopping, or begins to because it was idle the longest. */
  private makesPlace(): boolean {
    if ([...this.active.keys()].some((accountId) => this.ending.has(accountId))) return true;
    const [idlest] = [...this.active]
      .filter(([, { running }]) => running)
      .sort(([, one], [, other]) => one.lastUsedAtMs - other.lastUsedAtMs);
    if (!idlest || this.clock.now() - idlest[1].lastUsedAtMs < EVICTABLE_MS) return false;
    this.stopSoon(idlest[0]);
    return true;
  }

  private async started(active: Active, deadline: Deadline): Promise<RunningSandbox> {
    active.lastUsedAtMs = this.clock.now();
    const waitMs = Math.min(START_WAIT_MS, deadline.leftMs);
    return active.running ?? within(waitMs, active.starting, () => STARTING);
  }

  private async apply(
    accountId: string,
    chain: TestChain,
    action: MarketAction,
    deadline: Deadline,
  ): Promise<ActionResult> {
    if (this.ending.has(accountId)) throw STARTING;
    // Its client has given up, and may send it again.
    if (deadline.leftMs < ACTION_MS) throw LATE;
    // First, because a transaction that reverts adds a block too.
    const number = await this.repository.record(accountId, action).catch((error: unknown) => {
      throw error instanceof Problem ? error : away(error);
    });
    try {
      return await within(deadline.leftMs, chain.apply(action), () => LATE);
    } catch (error) {
      if (error instanceof RefusedAct) throw new Refusal(error);
      this.logger.error({
        msg: 'an action failed; the market is restored without it',
        accountId,
        err: error,
      });
      // Whether the node did it is unknown.
      this.stopSoon(accountId);
      await this.repository.unrecord(accountId, number);
      throw error === LATE ? LATE : away(error);
    }
  }

  private async start(accountId: string): Promise<RunningSandbox> {
    try {
      const stored = await this.repository.use(accountId, new Date(this.clock.now()));
      const place = placeOf(this.config, stored);
      // Without the logs and keys of the former start, and for this user alone.
      await rm(place.folder, { recursive: true, force: true });
      await mkdir(place.folder, { recursive: true, mode: 0o700 });
      // Before the chain, so that a failure of Postgres leaves no node behind.
      await ensureDatabase(this.config.DATABASE_URL, databaseName(this.config, stored), MOST_CONNECTIONS);
      const deadline = new Deadline(RESTORE_MS);
      const chain = await this.restoredChain(accountId, place.folder, stored.startedAt, deadline);
      try {
        const plane = await ServicePlane.start(this.config, place, chain);
        return { chain, plane, startedAt: stored.startedAt };
      } catch (error) {
        await chain.stop();
        throw error;
      }
    } catch (cause) {
      const detail = 'The test market could not be started. Try again in a moment.';
      throw new Problem('upstream_unavailable', detail, { cause, headers: { 'Retry-After': '5' } });
    }
  }

  private async restoredChain(
    accountId: string,
    folder: string,
    startedAt: Date,
    deadline: Deadline,
  ): Promise<TestChain> {
    const chain = await TestChain.start(folder, startedAt.getTime() / 1_000, deadline.leftMs);
    try {
      for (const action of await this.repository.actions(accountId))
        await within(deadline.leftMs, reapply(chain, action), () => new RestoreError());
      return chain;
    } catch (error) {
      await chain.stop();
      throw error;
    }
  }

  private stopSoon(accountId: string): void {
    this.stop(accountId).catch((error: unknown) =>
      this.logger.error({ msg: 'a test market did not stop', accountId, err: error }),
    );
  }

  /** Stops a market that is active. It also resolves when a stop, reset or removal in progress ends or fails. */
  private async stop(accountId: string): Promise<void> {
    const known = this.ending.get(accountId);
    if (known) return known.done.catch(() => undefined);
    const active = this.active.get(accountId);
    if (!active) return;
    await this.end(accountId, 'stop', () => this.repository.touch(accountId, new Date(active.lastUsedAtMs)));
  }

  /**
   * Stops the market of an account, if it is active, and then does the rest of the work.
   * @throws Problem sandbox_starting while the market ends in another way
   */
  private async end(accountId: string, kind: Ending['kind'], rest: () => Promise<void>): Promise<void> {
    const known = this.ending.get(accountId);
    if (known && known.kind !== kind) throw STARTING;
    if (known) return known.done;
    const active = this.active.get(accountId);
    const done = (async () => {
      try {
        if (active) await this.stopActive(accountId, active);
        await rest();
      } finally {
        this.ending.delete(accountId);
        if (active) this.forget(accountId, active);
      }
    })();
    this.ending.set(accountId, { kind, done });
    return done;
  }

  private async stopActive(accountId: string, active: Active): Promise<void> {
    await active.last.catch(() => undefined);
    const running = await active.starting.catch(() => null);
    try {
      await running?.plane.stop();
    } finally {
      await running?.chain.stop();
    }
    this.logger.log({ msg: 'a test market stopped', accountId });
  }

  private forget(accountId: string, active: Active): void {
    if (this.active.get(accountId) === active) this.active.delete(accountId);
    activeSandboxes.set(this.active.size);
  }
}

/** Applies a recorded action. One that the market refused is refused again, with the same block. */
async function reapply(chain: TestChain, action: MarketAction): Promise<void> {
  await chain.apply(action).catch((error: unknown) => {
    if (!(error instanceof RefusedAct)) throw error;
  });
}
