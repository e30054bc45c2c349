import { setTimeout as delay } from 'node:timers/promises';
import {
  type ActorView,
  type CompletedAct,
  MarketSimulation,
  type PriceChange,
  WhaleSimulation,
} from '@plimsoll/devnet';
import type { PriceCommand, WhaleCommand } from '../arguments';
import type { RunningChain } from '../parts/chain';
import type { Print } from '../processes/progress';
import { UsageError } from '../settings/usage-error';
import { type Clock, followPath } from './follow-path';
import { type PricePoint, fromPresent, shockPath } from './price-path';

/** A path that prices follow. */
export interface ReplayOrder {
  action: 'replay';
  path: PricePoint[];
  /** Seconds of the path in a second. */
  speed: number;
  /** Whether it begins at the present prices. */
  isRelative: boolean;
}

/** Where a replay is. */
export interface ReplayState {
  point: number;
  points: number;
  /** Of the path: those that passed, and all. */
  seconds: number;
  ofSeconds: number;
}

/** A move of a replay, as it is reported. */
export type ReplayStep = ReplayState & { changes: ReportedPriceChange[] };

/** The market as the control port shows it. */
export interface MarketState {
  /** US dollars by symbol, of each chain. */
  prices: { chainId: number; usd: Record<string, number> }[];
  isPaused: boolean;
  /** Null while no replay runs. */
  replay: ReplayState | null;
  /** Why the last replay ended before its end. Null when it did not. */
  failure: string | null;
}

/** A price change as the control port reports it. */
export interface ReportedPriceChange {
  chainId: number;
  symbol: string;
  usd: number;
  transactionHash: string;
  blockNumber: number;
}

const PRICE_SCALE = 1e8;

/** The result of a command for the whales. */
export type WhaleResponse =
  | { isPaused: boolean }
  | { whales: (ActorView & { chainId: number })[]; isPaused: boolean }
  | { acts: (CompletedAct & { chainId: number })[] };

interface LocalSimulation {
  chainId: number;
  simulation: MarketSimulation;
  whales: WhaleSimulation;
}

/** The settings of a market's movements. */
export interface MarketTiming {
  seed: number;
  /** 0: whales act only on command. */
  whaleActMs: number;
}

/** The market simulations of all local chains, moved together, and the whales that act on them. */
export class LocalMarket {
  private readonly simulations: LocalSimulation[];
  private areWhalesPaused = false;
  private isMarketPaused = false;
  private replaying: { state: ReplayState; stop: AbortController; ended: Promise<unknown> } | undefined;
  private failure: string | null = null;

  constructor(
    chains: readonly RunningChain[],
    private readonly pace: MarketTiming,
    print: Print,
  ) {
    const { seed, whaleActMs } = pace;
    this.simulations = chains.flatMap(({ chainId, rpcUrl, addresses }) => {
      if (!addresses) return [];
      const market = { rpcUrl, addresses, seed };
      const moves = reportOnce((error) =>
        print(`the market of chain ${chainId} does not move: ${String(error)}`),
      );
      const acts = reportOnce((error) => print(`a whale on chain ${chainId} did not act: ${String(error)}`));
      // Each chain has its own random acts, because equal acts would make the chains copies of each other.
      const whales = new WhaleSimulation({
        ...market,
        seed: seed + chainId,
        ...(whaleActMs > 0 && { intervalMs: whaleActMs }),
        ...acts,
      });
      return [{ chainId, simulation: new MarketSimulation({ ...market, ...moves }), whales }];
    });
  }

  start(): void {
    for (const { simulation, whales } of this.simulations) {
      simulation.start();
      if (this.pace.whaleActMs > 0) whales.start();
    }
  }

  async stop(): Promise<void> {
    await this.stopReplay();
    await Promise.all(
      this.simulations.flatMap(({ simulation, whales }) => [simulation.stop(), whales.stop()]),
    );
  }

  /** Executes a command on every local chain. Throws when it names an asset that does not exist. */
  async execute(order: PriceCommand): Promise<ReportedPriceChange[]> {
    if (order.action === 'stop') {
      await this.stopReplay();
      return [];
    }
    this.refuseDuringReplay();
    if (order.action === 'shock' && order.seconds) {
      const path = shockPath(order.symbol, order.percent, order.seconds);
      const begun = this.play(await this.pathsOf(path, true), 1, () => undefined);
      begun.catch((error: unknown) => (this.failure = textOf(error)));
      return [];
    }
    const changes = await Promise.all(
      this.simulations.map(async ({ chainId, simulation }) => {
        const change = await executeOn(simulation, order);
        return reportedChanges(chainId, change ? [change] : []);
      }),
    );
    if (order.action === 'pause' || order.action === 'resume') this.isMarketPaused = order.action === 'pause';
    this.pauseWhales();
    return changes.flat();
  }

  /**
   * Moves the prices of every chain along a path. The simulation of the market waits for its end.
   * @param onStep called after each move
   * @param signal ends it
   * @returns whether it came to its end. False: it was stopped
   */
  async replay(
    { path, speed, isRelative }: ReplayOrder,
    onStep: (step: ReplayStep) => void,
    signal: AbortSignal,
  ): Promise<boolean> {
    this.refuseDuringReplay();
    return this.play(await this.pathsOf(path, isRelative), speed, onStep, signal);
  }

  async state(): Promise<MarketState> {
    return {
      prices: await Promise.all(
        this.simulations.map(async ({ chainId, simulation }) => ({
          chainId,
          usd: Object.fromEntries(await simulation.prices()),
        })),
      ),
      isPaused: this.isMarketPaused,
      replay: this.replaying?.state ?? null,
      failure: this.failure,
    };
  }

  private refuseDuringReplay(): void {
    if (this.replaying)
      throw new UsageError('a replay runs', 'Wait for its end, or run `npm run market -- stop`');
  }

  private async stopReplay(): Promise<void> {
    this.replaying?.stop.abort();
    await this.replaying?.ended;
  }

  /** The path of each chain, whose present prices may differ. @throws RefusedAct for an unknown asset */
  private pathsOf(path: readonly PricePoint[], isRelative: boolean): Promise<readonly PricePoint[][]> {
    return Promise.all(
      this.simulations.map(async ({ simulation }) => {
        const present = await simulation.prices();
        for (const symbol of new Set(path.flatMap(({ usd }) => Object.keys(usd))))
          if (!present.has(symbol))
            throw new UsageError(
              `there is no asset ${symbol}`,
              `Use one of ${[...present.keys()].join(', ')}`,
            );
        return isRelative ? fromPresent(path, present) : [...path];
      }),
    );
  }

  private play(
    paths: readonly PricePoint[][],
    speed: number,
    onStep: (step: ReplayStep) => void,
    signal?: AbortSignal,
  ): Promise<boolean> {
    this.refuseDuringReplay();
    const path = paths[0] ?? [];
    const begin = path[0]?.seconds ?? 0;
    const state: ReplayState = {
      point: 0,
      points: path.length,
      seconds: 0,
      ofSeconds: (path.at(-1)?.seconds ?? 0) - begin,
    };
    const stop = new AbortController();
    const stopping = signal ? AbortSignal.any([stop.signal, signal]) : stop.signal;
    const move = async (first: number, end: number): Promise<void> => {
      const changes = await Promise.all(
        this.simulations.map(async ({ chainId, simulation }, chain) => {
          const due = (paths[chain] ?? []).slice(first, end);
          const usd: Record<string, number> = Object.assign({}, ...due.map((each) => each.usd));
          return reportedChanges(chainId, await simulation.setAll(usd));
        }),
      );
      state.point = end;
      state.seconds = (path[end - 1]?.seconds ?? begin) - begin;
      onStep({ ...state, changes: changes.flat() });
    };
    const run = async (): Promise<boolean> => {
      for (const { simulation } of this.simulations) simulation.pause();
      try {
        return await followPath(path, speed, move, stopping, CLOCK);
      } finally {
        this.replaying = undefined;
        if (!this.isMarketPaused) for (const { simulation } of this.simulations) simulation.resume();
      }
    };
    this.failure = null;
    const ended = run();
    this.replaying = { state, stop, ended: ended.catch(() => undefined) };
    return ended;
  }

  /** As execute, only for the whales. Throws when the named whale does not exist, or cannot do it. */
  async executeForWhales(order: WhaleCommand): Promise<WhaleResponse> {
    switch (order.whale) {
      case 'list':
        return {
          whales: (await this.eachChain(({ whales }) => whales.list())).flat(),
          isPaused: this.isPaused,
        };
      case 'act': {
        const { name, kind, amount, symbol } = order;
        return {
          acts: (
            await this.eachChain(async ({ whales }) => [await whales.act(name, kind, amount, symbol)])
          ).flat(),
        };
      }
      default:
        this.areWhalesPaused = order.whale === 'pause';
        this.pauseWhales();
        return { isPaused: this.isPaused };
    }
  }

  private get isPaused(): boolean {
    return this.simulations.every(({ whales }) => whales.isPaused);
  }

  /** Whales pause with the market, and on their own command. */
  private pauseWhales(): void {
    for (const { whales } of this.simulations) {
      if (this.areWhalesPaused || this.isMarketPaused) whales.pause();
      else whales.resume();
    }
  }

  private eachChain<T extends object>(
    ask: (local: LocalSimulation) => Promise<T[]>,
  ): Promise<(T & { chainId: number })[][]> {
    return Promise.all(
      this.simulations.map(async (local) =>
        (await ask(local)).map((each) => ({ chainId: local.chainId, ...each })),
      ),
    );
  }
}

async function executeOn(
  simulation: MarketSimulation,
  order: Exclude<PriceCommand, { action: 'stop' }>,
): Promise<PriceChange | undefined> {
  switch (order.action) {
    case 'shock':
      return simulation.shock(order.symbol, order.percent);
    case 'set':
      return simulation.set(order.symbol, order.usd);
    case 'pause':
      simulation.pause();
      return undefined;
    case 'resume':
      simulation.resume();
      return undefined;
  }
}

const reportedChanges = (chainId: number, changes: readonly PriceChange[]): ReportedPriceChange[] =>
  changes.map(({ symbol, priceRaw, transactionHash, blockNumber }) => ({
    chainId,
    symbol,
    usd: Number(priceRaw) / PRICE_SCALE,
    transactionHash,
    blockNumber: Number(blockNumber),
  }));

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const CLOCK: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};

/** A node that is down fails every move. One line is enough. */
function reportOnce(report: (error: unknown) => void): { onError: (error: unknown) => void } {
  let isReported = false;
  return {
    onError: (error) => {
      if (!isReported) report(error);
      isReported = true;
    },
  };
}
