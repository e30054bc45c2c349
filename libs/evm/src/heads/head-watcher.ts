import { setTimeout as delay } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { ChainClient } from '../rpc/chain-client';
import { readHeadByHash, readLatestHead, type Head } from './head';
import { HeadPush } from './head-push';
import { HeadWindow } from './head-window';

/** A new newest block. Read logs from `firstNewBlock` to `head.number`. */
export interface HeadUpdate {
  head: Head;
  /** The blocks that were not seen before, oldest first. The last one is `head`. */
  newHeads: readonly Head[];
  /**
   * Lowest block not seen before. Null when the history in between is lost, so that everything must be read
   * again.
   */
  firstNewBlock: bigint | null;
  /** Blocks that this head replaced. Usually 0. */
  reorgDepth: number;
  /** The source of the head: pushed over WebSocket or polled. */
  source: 'push' | 'poll';
}

/** Settings of a watcher; only the client and the callback are required. */
export interface HeadWatcherOptions {
  client: ChainClient;
  /** Heads are pushed if it is set. They are polled without it, and while the socket is down. */
  wsUrl?: string;
  /** Delay between polls while no heads are pushed. */
  pollIntervalMs?: number;
  /** With a live subscription: after this silence one poll checks whether a head was missed. */
  quietMs?: number;
  /** Longest branch that is fetched to close a gap or to find the fork point. */
  maxBranch?: number;
  random?: () => number;
  /** Called in order, for one head at a time. Heads that arrive meanwhile are merged into the next update. */
  onHead: (update: HeadUpdate) => void | Promise<void>;
  /** The node returned its newest block, new or not. Called before `onHead`. */
  onResponse?: () => void;
  /** A poll or an update failed. The watcher continues. */
  onError?: (error: unknown) => void;
}

const DEFAULTS = { pollIntervalMs: 1_000, quietMs: 3_000, maxBranch: 128, random: Math.random };
const PARENT_ATTEMPTS = 3;
const PARENT_RETRY_MS = 100;
const PUSH = { staleMs: 60_000, reconnectDelayMs: 250, maxReconnectDelayMs: 10_000 };

/** Follows the newest block of one chain until it is closed. */
export class HeadWatcher {
  private readonly options: HeadWatcherOptions & typeof DEFAULTS;
  private readonly window = new HeadWindow();
  private readonly push: HeadPush | undefined;
  private pushed = false;
  private closed = false;
  private timer: NodeJS.Timeout | undefined;
  private pending: { head: Head; source: HeadUpdate['source'] } | undefined;
  private working: Promise<void> | undefined;

  constructor(options: HeadWatcherOptions) {
    this.options = { ...DEFAULTS, ...options };
    const { wsUrl, random } = this.options;
    if (wsUrl) {
      const onConnected = (connected: boolean): void => this.pushChanged(connected);
      this.push = new HeadPush({
        ...PUSH,
        wsUrl,
        random,
        onConnected,
        onHead: (head) => this.offer(head, 'push'),
      });
    }
    void this.poll();
  }

  /** The last head that was passed to `onHead`. */
  get latest(): Head | undefined {
    return this.window.latest;
  }

  /** Whether heads are pushed at the moment. */
  get isPushed(): boolean {
    return this.pushed;
  }

  /** Stops, and waits for the update that is being handled. */
  async close(): Promise<void> {
    this.closed = true;
    this.push?.close();
    clearTimeout(this.timer);
    await this.working;
  }

  private pushChanged(connected: boolean): void {
    this.pushed = connected;
    // Heads from before the subscription are not pushed. The next poll without a subscription is due
    // after the short interval.
    if (connected) void this.poll();
    else this.schedulePoll();
  }

  private offer(head: Head, source: HeadUpdate['source']): void {
    if (this.closed) return;
    this.options.onResponse?.();
    // The poll was sent before the block was pushed.
    if (source === 'poll' && this.pending?.source === 'push') return;
    this.pending = { head, source };
    this.working ??= this.work().finally(() => (this.working = undefined));
  }

  private async work(): Promise<void> {
    for (let next = this.pending; next && !this.closed; next = this.pending) {
      this.pending = undefined;
      try {
        const update = await this.connect(next.head, next.source);
        if (update) await this.options.onHead(update);
      } catch (error) {
        this.options.onError?.(error);
      }
    }
    this.schedulePoll();
  }

  /** Fetches ancestors until the head connects to a known block, then adopts the branch. */
  private async connect(head: Head, source: HeadUpdate['source']): Promise<HeadUpdate | null> {
    const branch = [head];
    let placement = this.window.indexOf(branch);
    while (placement.kind === 'missing' && branch.length < this.options.maxBranch) {
      const parent = await this.readParent(placement.parentHash);
      if (!parent) break;
      branch.push(parent);
      placement = this.window.indexOf(branch);
    }
    if (placement.kind === 'known') return null;
    this.window.adopt(branch);
    const newHeads = branch.toReversed();
    if (placement.kind === 'missing') return { head, newHeads, firstNewBlock: null, reorgDepth: 0, source };
    const { firstNewBlock, reorgDepth } = placement;
    return { head, newHeads, firstNewBlock, reorgDepth, source };
  }

  /** Tries more than once: behind a load balancer the responding node may lag behind the one that pushed. */
  private async readParent(hash: Hex): Promise<Head | null> {
    for (let attempt = 1; attempt <= PARENT_ATTEMPTS; attempt += 1) {
      const parent = await readHeadByHash(this.options.client, hash);
      if (parent || this.closed) return parent;
      await delay(PARENT_RETRY_MS);
    }
    return null;
  }

  private schedulePoll(): void {
    clearTimeout(this.timer);
    if (this.closed) return;
    const wait = this.pushed ? this.options.quietMs : this.options.pollIntervalMs;
    this.timer = setTimeout(() => void this.poll(), wait);
  }

  private async poll(): Promise<void> {
    try {
      this.offer(await readLatestHead(this.options.client), 'poll');
    } catch (error) {
      this.options.onError?.(error);
      this.schedulePoll();
    }
  }
}
