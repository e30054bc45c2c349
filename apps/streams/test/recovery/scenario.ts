import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '@plimsoll/devnet';
import { type EventPublisher, waitFor } from '@plimsoll/testing';
import { Subscriber } from './subscriber';
import { type Verdict, judge } from './verdict';
import { WALLETS_PER_ACCOUNT, World } from './world';

const BATCH_MS = 100;
const WALLETS_PER_WORLD = 1_000_000;

/** One process of the service, which the scenario may end and restart. */
export interface Instance {
  /** ws://host:port */
  readonly url: string;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<unknown>;
  start(): Promise<void>;
}

export interface ScenarioOptions {
  subscribers: number;
  eventsPerSecond: number;
  identityKeys: string;
  publisher: EventPublisher;
  /** At least two running instances. */
  instances: readonly Instance[];
  seed?: number;
  report?: (line: string) => void;
}

/** Subscribers with many filters on several instances, under load. */
export class Scenario {
  private readonly world: World;
  private readonly subscribers: Subscriber[];
  private readonly loading = new AbortController();
  private load: Promise<void> = Promise.resolve();

  constructor(private readonly options: ScenarioOptions) {
    const { seed = 1 } = options;
    const random = seededRandom(seed);
    const accounts = Math.max(2, Math.ceil(options.subscribers / 50));
    this.world = new World(accounts, seed * WALLETS_PER_WORLD, random);
    this.subscribers = Array.from({ length: options.subscribers }, (_, at) => {
      const account = at % accounts;
      const stream = random() < 0.6 ? 'positions' : 'alerts';
      const interest = { stream, account, filter: this.world.anyFilter(account, stream) } as const;
      return new Subscriber(interest, this.world.accounts[account] ?? '', options.identityKeys);
    });
  }

  /** Subscribes all clients, spread over the instances, and starts the load. */
  async begin(): Promise<void> {
    const { publisher, instances } = this.options;
    await publisher.publish(...this.world.watches());
    for (const instance of instances) await this.watchesAreKnown(instance);
    await Promise.all(
      this.subscribers.map((each, at) => each.connect(instances[at % instances.length]?.url ?? '')),
    );
    await this.everyoneHasACursor();
    this.load = this.publish();
    this.report(`${this.subscribers.length} subscribers, load on`);
  }

  /** Kills an instance. Its clients reconnect to the next one with their cursors. */
  async killOne(): Promise<void> {
    const [victim, other] = this.options.instances;
    const orphans = this.subscribers.filter((_, at) => at % this.options.instances.length === 0);
    await victim?.end('SIGKILL');
    this.report(`killed one instance; ${orphans.length} subscribers come back to the other`);
    await this.allBack(orphans, other);
  }

  /** Each instance in turn stops gracefully and restarts. Its clients use another meanwhile. */
  async restartEach(): Promise<void> {
    const { instances } = this.options;
    for (const [at, instance] of instances.entries()) {
      await instance.end('SIGTERM');
      const gone = this.subscribers.filter(({ isConnected }) => !isConnected);
      this.report(`stopped instance ${at + 1}; ${gone.length} subscribers go to another`);
      await this.allBack(gone, instances[(at + 1) % instances.length]);
      await instance.start();
    }
  }

  /** All clients disconnect for a while and return. */
  async stayDisconnected(awayMs: number): Promise<void> {
    for (const subscriber of this.subscribers) subscriber.disconnect();
    this.report(`everyone is away for ${awayMs / 1_000} s`);
    await delay(awayMs);
    await this.allBack(this.subscribers, this.options.instances[1]);
  }

  async stopLoad(): Promise<void> {
    this.loading.abort();
    await this.load;
  }

  /**
   * Ends the load, waits for events in flight, and returns what each subscriber received and why connections
   * ended.
   */
  async verdict(): Promise<Verdict & { recovered: number; notRecovered: number; closeCodes: number[] }> {
    await this.stopLoad();
    await waitFor(
      async () => {
        await this.reconnect(this.subscribers, this.options.instances[1]);
        return this.judge().lost === 0;
      },
      { message: 'every expected event', timeoutMs: 60_000, intervalMs: 500 },
    ).catch(() => undefined);
    // Doubled events arrive late.
    await delay(1_000);
    const recoveries = this.subscribers.flatMap(({ recoveries: own }) => own);
    const recovered = recoveries.filter(Boolean).length;
    for (const subscriber of this.subscribers) subscriber.disconnect();
    const closeCodes = [...new Set(this.subscribers.flatMap((each) => each.closeCodes))];
    return { ...this.judge(), recovered, notRecovered: recoveries.length - recovered, closeCodes };
  }

  /** All clients disconnect, miss events, and return when these are older than the window. */
  async reconnectTooLate(windowMs: number): Promise<{ notRecovered: number; wrongSnapshots: number }> {
    for (const subscriber of this.subscribers) subscriber.disconnect();
    await delay(2_000);
    await this.stopLoad();
    this.report(`everyone is away for ${windowMs / 1_000} s and a little more`);
    await delay(windowMs + 1_000);
    for (const subscriber of this.subscribers) subscriber.forgetSnapshot();
    await this.allBack(this.subscribers, this.options.instances[1]);
    const isComplete = ({ recoveries, interest, isSnapshotComplete }: Subscriber): boolean =>
      recoveries.length > 0 && (interest.stream === 'alerts' || isSnapshotComplete);
    await waitFor(() => this.subscribers.every(isComplete), { message: 'every response', timeoutMs: 30_000 });
    const notRecovered = this.subscribers.filter(({ recoveries }) => recoveries.at(-1) === false).length;
    const wrongSnapshots = this.subscribers.filter((each) => !this.isSnapshotRight(each)).length;
    for (const subscriber of this.subscribers) subscriber.disconnect();
    return { notRecovered, wrongSnapshots };
  }

  /**
   * Topics have no order between them, so an instance may read a position before the watches of its wallet.
   */
  private async watchesAreKnown(instance: Instance): Promise<void> {
    const scouts = this.world.accounts.map(
      (accountId, account) =>
        new Subscriber({ stream: 'positions', account, filter: {} }, accountId, this.options.identityKeys),
    );
    await Promise.all(scouts.map((scout) => scout.connect(instance.url)));
    await waitFor(
      async () => {
        await this.reconnect(scouts, instance);
        await this.options.publisher.publish(...this.world.trials());
        return scouts.every(({ wallets }) => wallets.size === WALLETS_PER_ACCOUNT);
      },
      { message: 'every watched wallet is known', timeoutMs: 60_000, intervalMs: 500 },
    );
    for (const scout of scouts) scout.disconnect();
  }

  private async everyoneHasACursor(): Promise<void> {
    await waitFor(
      async () => {
        await this.reconnect(this.subscribers, this.options.instances[1]);
        return this.subscribers.every(({ cursor }) => cursor !== undefined);
      },
      { message: 'a cursor for every client', timeoutMs: 60_000 },
    );
  }

  private isSnapshotRight({ interest, snapshot }: Subscriber): boolean {
    const latest = new Map(
      this.world.published.filter(({ stream }) => stream === 'positions').map((each) => [each.key, each]),
    );
    const right = [...latest.values()].filter((event) => this.world.isFor(event, interest));
    const text = (states: readonly string[]): string => [...states].sort().join();
    return (
      text(snapshot.map(({ id, asOfBlock }) => `${id} ${asOfBlock}`)) ===
      text(right.map(({ position }) => `${position.id} ${position.block}`))
    );
  }

  private judge(): Verdict {
    return judge(this.world, this.subscribers, this.world.published);
  }

  private async allBack(subscribers: readonly Subscriber[], instance: Instance | undefined): Promise<void> {
    await waitFor(
      async () => {
        await this.reconnect(subscribers, instance);
        return subscribers.every(({ isConnected }) => isConnected);
      },
      { message: 'the subscribers are connected again', timeoutMs: 60_000, intervalMs: 200 },
    );
  }

  /**
   * Reconnects as clients do after a close, also after a missing pong when this process was too busy to
   * respond in time.
   */
  private async reconnect(subscribers: readonly Subscriber[], instance: Instance | undefined): Promise<void> {
    const gone = subscribers.filter(({ isConnected }) => !isConnected);
    await Promise.all(gone.map((subscriber) => subscriber.connect(instance?.url ?? '')));
  }

  private async publish(): Promise<void> {
    const { signal } = this.loading;
    const perBatch = Math.max(1, Math.round((this.options.eventsPerSecond * BATCH_MS) / 1_000));
    while (!signal.aborted) {
      const batch = Array.from({ length: perBatch }, () => this.world.change());
      await this.options.publisher.publish(...batch);
      await delay(BATCH_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private report(line: string): void {
    this.options.report?.(line);
  }
}
