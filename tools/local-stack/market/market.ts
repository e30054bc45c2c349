import {
  type ActorView,
  type CompletedAct,
  MarketSimulation,
  type PriceChange,
  WhaleSimulation,
} from '@plimsoll/devnet';
import type { MarketCommand, WhaleCommand } from '../arguments';
import type { RunningChain } from '../parts/chain';
import type { Print } from '../processes/progress';

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
    await Promise.all(
      this.simulations.flatMap(({ simulation, whales }) => [simulation.stop(), whales.stop()]),
    );
  }

  /** Executes a command on every local chain. Throws when it names an asset that does not exist. */
  async execute(order: Exclude<MarketCommand, WhaleCommand>): Promise<ReportedPriceChange[]> {
    const changes = await Promise.all(
      this.simulations.map(async ({ chainId, simulation }) =>
        reportedChanges(chainId, await executeOn(simulation, order)),
      ),
    );
    this.pauseWhales();
    return changes.flat();
  }

  /** As obey, only for the whales. Throws when the named whale does not exist, or cannot do it. */
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
    for (const { simulation, whales } of this.simulations) {
      if (this.areWhalesPaused || simulation.isPaused) whales.pause();
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
  order: Exclude<MarketCommand, WhaleCommand>,
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

function reportedChanges(chainId: number, change: PriceChange | undefined): ReportedPriceChange[] {
  if (!change) return [];
  const { symbol, priceRaw, transactionHash, blockNumber } = change;
  return [
    {
      chainId,
      symbol,
      usd: Number(priceRaw) / PRICE_SCALE,
      transactionHash,
      blockNumber: Number(blockNumber),
    },
  ];
}

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
