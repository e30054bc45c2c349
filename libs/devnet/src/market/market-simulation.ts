import { marketSymbol, ASSETS } from '../aave/assets';
import type { DevnetAddresses } from '../addresses';
import { connectAnvil, type AnvilRpc } from '../evm/rpc';
import { TransactionQueue } from '../evm/transaction-queue';
import { PRICE_DECIMALS } from '../price-feed/price-feed';
import { PacedSimulation } from './paced-simulation';
import { seededRandom, type Random } from './random';
import { placeOf, queuePrice, readPrices, sendPrice, toPriceRaw, type PriceChange } from './set-price';
import { stepPrices, type AssetDynamics } from './step-prices';

const VOLATILE = { halfLifeDays: 4 } as const;
const STABLE = { annualVolatility: 0.012, marketCorrelation: 0, jumpBeta: 0, halfLifeDays: 0.25 } as const;

const BY_SYMBOL: Readonly<Record<string, Omit<AssetDynamics, 'symbol' | 'anchorUsd'>>> = {
  WETH: { ...VOLATILE, annualVolatility: 0.72, marketCorrelation: 0.9, jumpBeta: 1 },
  WBTC: { ...VOLATILE, annualVolatility: 0.5, marketCorrelation: 0.88, jumpBeta: 0.75 },
  LINK: { ...VOLATILE, annualVolatility: 0.95, marketCorrelation: 0.78, jumpBeta: 1.3 },
};

/**
 * The dynamics of the devnet's assets. An asset that is not listed as volatile stays near its seeded price.
 */
export const DEVNET_DYNAMICS: readonly AssetDynamics[] = ASSETS.map(({ symbol, priceUsd }) => ({
  ...(BY_SYMBOL[symbol] ?? STABLE),
  symbol,
  anchorUsd: Number(priceUsd) / 10 ** PRICE_DECIMALS,
}));

/** Settings of the driver. Only the chain and the seed are required. */
export interface MarketSimulationOptions {
  rpcUrl: string;
  addresses: DevnetAddresses;
  seed: number;
  /** Real time between two moves of the market. */
  intervalMs?: number;
  /** Seconds of market time in a second of real time: above 1, the demo has something to show within minutes. */
  timeScale?: number;
  /** Called for a move that failed. The next interval tries again. */
  onError?: (error: unknown) => void;
}

const DEFAULT_INTERVAL_MS = 5_000;
const DEFAULT_TIME_SCALE = 240;
const SCALE = 10 ** PRICE_DECIMALS;

/**
 * Moves the devnet's prices, one transaction for each asset that changed, all in one block. The chain holds the state: every
 * move starts from the chain's current prices, so it continues after a shock from another process and after a
 * restart.
 */
export class MarketSimulation extends PacedSimulation {
  private readonly rpc: AnvilRpc;
  private readonly random: Random;
  private readonly intervalMs: number;

  constructor(private readonly options: MarketSimulationOptions) {
    const { intervalMs = DEFAULT_INTERVAL_MS, onError } = options;
    super({ intervalMs, onError });
    this.intervalMs = intervalMs;
    this.rpc = connectAnvil(options.rpcUrl);
    this.random = seededRandom(options.seed);
  }

  /** One move of the whole market now. */
  step(): Promise<PriceChange[]> {
    return this.inTurn(() => this.move());
  }

  /** Moves one asset by a percentage of its price on the chain (−30: down by 30 %). */
  shock(symbol: string, percent: number): Promise<PriceChange> {
    return this.inTurn(() => shockPriceOver(this.rpc, this.options.addresses, symbol, percent));
  }

  /** Sets one asset to a price in US dollars. */
  set(symbol: string, usd: number): Promise<PriceChange> {
    return this.inTurn(() =>
      sendPrice(this.rpc, this.options.addresses, marketSymbol(symbol), toPriceRaw(usd)),
    );
  }

  /** Sets several assets to prices in US dollars, all in one block. @throws RefusedAct for an unknown asset */
  setAll(prices: Readonly<Record<string, number>>): Promise<PriceChange[]> {
    return this.inTurn(() => {
      const changes = Object.entries(prices).map(([symbol, usd]) => ({
        symbol: marketSymbol(symbol),
        priceRaw: toPriceRaw(usd),
      }));
      return this.send(changes);
    });
  }

  /** The current prices on the chain in US dollars, by symbol. */
  async prices(): Promise<Map<string, number>> {
    const current = await readPrices(this.rpc, this.options.addresses);
    return new Map([...current].map(([symbol, raw]) => [symbol, Number(raw) / SCALE]));
  }

  private async move(): Promise<PriceChange[]> {
    const { addresses, timeScale = DEFAULT_TIME_SCALE } = this.options;
    const current = await readPrices(this.rpc, addresses);
    const inUsd = new Map([...current].map(([symbol, raw]) => [symbol, Number(raw) / SCALE]));
    const next = stepPrices(DEVNET_DYNAMICS, inUsd, this.random, (this.intervalMs / 1_000) * timeScale);
    const changes = [...next]
      .map(([symbol, usd]) => ({ symbol, priceRaw: toPriceRaw(usd) }))
      .filter(({ symbol, priceRaw }) => priceRaw !== current.get(symbol));
    return this.send(changes);
  }

  private async send(changes: readonly Pick<PriceChange, 'symbol' | 'priceRaw'>[]): Promise<PriceChange[]> {
    const { addresses } = this.options;
    const queue = await TransactionQueue.open(this.rpc, [addresses.operator]);
    for (const { symbol, priceRaw } of changes) queuePrice(queue, addresses, symbol, priceRaw);
    const receipts = await queue.flush();
    return changes.map((change, index) => ({ ...change, ...placeOf(receipts[index]!) }));
  }
}

/** Moves one asset by a percentage of its current price on the chain, by one transaction. */
export function shockPrice(
  rpcUrl: string,
  addresses: DevnetAddresses,
  symbol: string,
  percent: number,
): Promise<PriceChange> {
  return shockPriceOver(connectAnvil(rpcUrl), addresses, symbol, percent);
}

async function shockPriceOver(
  rpc: AnvilRpc,
  addresses: DevnetAddresses,
  symbol: string,
  percent: number,
): Promise<PriceChange> {
  if (!(percent > -100)) throw new Error(`${percent} % leaves no price: give more than −100`);
  const name = marketSymbol(symbol);
  const current = (await readPrices(rpc, addresses)).get(name);
  if (current === undefined)
    throw new Error(`unknown asset ${symbol}: use one of ${Object.keys(addresses.assets).join(', ')}`);
  return sendPrice(rpc, addresses, name, toPriceRaw((Number(current) / SCALE) * (1 + percent / 100)));
}
