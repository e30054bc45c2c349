import { MarketSimulation, type PriceChange } from '@plimsoll/devnet';
import type { MarketOrder } from './arguments';
import type { RunningChain } from './chain';
import type { Print } from './progress';

/** A price that was set, as it is told over the control port. */
export interface ToldPriceChange {
  chainId: number;
  symbol: string;
  usd: number;
  transactionHash: string;
  blockNumber: number;
}

const PRICE_SCALE = 1e8;

/** The market simulations of all local chains, moved together. */
export class LocalMarket {
  private readonly simulations: { chainId: number; simulation: MarketSimulation }[];

  constructor(chains: readonly RunningChain[], seed: number, print: Print) {
    this.simulations = chains.flatMap(({ chainId, rpcUrl, addresses }) => {
      if (!addresses) return [];
      const onError = reportOnce((error) =>
        print(`the market of chain ${chainId} does not move: ${String(error)}`),
      );
      return [{ chainId, simulation: new MarketSimulation({ rpcUrl, addresses, seed, ...onError }) }];
    });
  }

  start(): void {
    for (const { simulation } of this.simulations) simulation.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.simulations.map(({ simulation }) => simulation.stop()));
  }

  /** Carries an order out on every local chain. Throws when it names an asset that is not there. */
  async obey(order: MarketOrder): Promise<ToldPriceChange[]> {
    const changes = await Promise.all(
      this.simulations.map(async ({ chainId, simulation }) =>
        told(chainId, await carryOut(simulation, order)),
      ),
    );
    return changes.flat();
  }
}

async function carryOut(simulation: MarketSimulation, order: MarketOrder): Promise<PriceChange | undefined> {
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

function told(chainId: number, change: PriceChange | undefined): ToldPriceChange[] {
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

/** A node that is away fails every move: one line is enough. */
function reportOnce(report: (error: unknown) => void): { onError: (error: unknown) => void } {
  let isTold = false;
  return {
    onError: (error) => {
      if (!isTold) report(error);
      isTold = true;
    },
  };
}
