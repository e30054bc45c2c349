import { randomBits } from '@plimsoll/risk-math';
import { FollowedMarket } from '../../apps/positions/test/follow-market';
import {
  type GeneratedBalance,
  GeneratedMarket,
  type GeneratedReserve,
  walletOf,
} from '../../apps/positions/test/generated-market';

const RESERVES = 20;
const BLOCK_SECONDS = 12n;
const RUNS = 25;
const WARM_UPS = 5;
/** The most popular reserves come first. */
const MOST_POPULAR = 0;
const LEAST_POPULAR = RESERVES - 1;
const REVISION = 10n;
const CENTS_BASE = 10n ** 6n;

/** The changes between two blocks beside interest. */
type BlockChange = (market: GeneratedMarket, run: number) => void;

/** In both directions by parts of a hundred thousand. */
const priceBy =
  (reserve: number, parts: bigint): BlockChange =>
  (market, run) => {
    const price = market.priceOf(reserve);
    const next =
      run % 2 === 0 ? (price * (100_000n + parts)) / 100_000n : (price * 100_000n) / (100_000n + parts);
    market.setPrice(reserve, next);
  };

const CASES: Readonly<Record<string, BlockChange>> = {
  interestAlone: () => undefined,
  rareAssetHalfBasisPoint: priceBy(LEAST_POPULAR, 5n),
  hottestAssetHalfBasisPoint: priceBy(MOST_POPULAR, 5n),
  hottestAssetOnePercent: priceBy(MOST_POPULAR, 1_000n),
  oneWalletActs: (market, run) =>
    market.hold(walletOf(run), [
      { reserve: MOST_POPULAR, supply: BigInt(run + 1) * 10n ** 19n, debt: 0n },
      { reserve: 1, supply: 0n, debt: 10n ** 9n },
    ]),
};

/**
 * CPU of one block for the tracked wallets of one market, by its changes, with the book and with all wallets
 * evaluated.
 */
export async function measureAdvance(progress: (line: string) => void): Promise<object> {
  const measured: Record<string, object> = {};
  for (const wallets of [1_000, 10_000]) {
    progress(`following ${wallets} wallets`);
    measured[`wallets${wallets}`] = {
      byBook: await measureCases(wallets, true),
      allWallets: await measureCases(wallets, false),
    };
  }
  return measured;
}

async function measureCases(count: number, followsRatios: boolean): Promise<object> {
  const measured: Record<string, object> = {};
  for (const [name, happen] of Object.entries(CASES)) {
    const market = seededMarket(count);
    const followed = new FollowedMarket(market.reader(followsRatios ? 'ratios' : 'touched'));
    const wallets = Array.from({ length: count }, (_, id) => walletOf(id));
    await followed.advance(market.mine(BLOCK_SECONDS), wallets);
    await followed.advance(market.mine(BLOCK_SECONDS), wallets);
    const runs: { cpuMs: number; evaluated: number; events: number }[] = [];
    for (let run = 0; run < WARM_UPS + RUNS; run += 1) {
      happen(market, run);
      const block = market.mine(BLOCK_SECONDS);
      const [evaluated, before] = [followed.evaluated, process.cpuUsage()];
      const { length: events } = await followed.advance(block, wallets);
      const { user, system } = process.cpuUsage(before);
      runs.push({ cpuMs: (user + system) / 1_000, evaluated: followed.evaluated - evaluated, events });
    }
    const counted = runs.slice(WARM_UPS);
    measured[name] = {
      cpuMs: middle(counted.map(({ cpuMs }) => cpuMs)),
      evaluated: middle(counted.map(({ evaluated }) => evaluated)),
      events: middle(counted.map(({ events }) => events)),
    };
  }
  return measured;
}

/** Each wallet has two collaterals and a debt, most of them in the first reserves. */
function seededMarket(count: number): GeneratedMarket {
  const bits = randomBits(7);
  const random = (): number => bits() / 2 ** 32;
  const popular = (): number => Math.min(RESERVES - 1, Math.floor(RESERVES * random() ** 2.1));
  const reserves: GeneratedReserve[] = Array.from({ length: RESERVES }, (_, id) => ({
    symbol: `T${id}`,
    decimals: id % 2 === 0 ? 18 : 6,
    price: BigInt(Math.round(10 ** (8 + 4 * random()))),
    thresholdBps: 7_000n + BigInt(id * 50),
    rateBps: 200n + BigInt(id * 20),
  }));
  const market = new GeneratedMarket(reserves, REVISION);
  const units = (id: number, cents: bigint): bigint =>
    (cents * CENTS_BASE * 10n ** BigInt(reserves[id]!.decimals)) / reserves[id]!.price;
  for (let id = 0; id < count; id += 1) {
    const balances = new Map<number, GeneratedBalance>();
    let weighted = 0n;
    for (const reserve of new Set([popular(), popular()])) {
      const cents = BigInt(Math.round(10 ** (4 + 4 * random())));
      weighted += cents * reserves[reserve]!.thresholdBps;
      balances.set(reserve, { reserve, supply: units(reserve, cents), debt: 0n });
    }
    const owed = popular();
    const healthFactorPercent = BigInt(Math.round(103 + 200 * random()));
    const debt = units(owed, weighted / 100n / healthFactorPercent);
    balances.set(owed, { ...(balances.get(owed) ?? { reserve: owed, supply: 0n }), debt });
    market.hold(walletOf(id), [...balances.values()]);
  }
  return market;
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Number(sorted[sorted.length >> 1]!.toFixed(2));
}
