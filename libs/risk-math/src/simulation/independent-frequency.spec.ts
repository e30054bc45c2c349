import type { RiskPosition } from '../position/position';
import { healthFactor } from '../position/totals';
import { randomBits, seedOf, type RandomBits } from '../random/random';
import { simulateGbm } from './gbm';
import type { PriceMarket } from './health-model';

const POSITIONS = 200;
const DAYS = 30;
const STEPS_PER_DAY = 96;
const TRIALS = 4;
const BINS = 10;
/** χ² with ten degrees of freedom at p = 0.01, because predictions are not fitted to observations. */
const CRITICAL = 23.209;

const ASSETS = ['ETH', 'BTC', 'LINK', 'USDC'];
const DAILY = [0.75, 0.55, 0.95].map((sigma) => sigma / Math.sqrt(365));
const COMMON = 0.85;

/** Correlations of one common factor, so that the paths below need no matrix of the library. */
const market: PriceMarket = {
  assets: ASSETS,
  dailyCovariance: ASSETS.map((_, i) =>
    ASSETS.map((_other, j) => (DAILY[i] ?? 0) * (DAILY[j] ?? 0) * (i === j ? 1 : COMMON ** 2)),
  ),
};

function uniforms(bits: RandomBits): () => number {
  return () => (bits() + 0.5) / 2 ** 32;
}

function position(random: () => number): RiskPosition {
  const leg = (asset: string, usd: number) => ({ asset, amount: usd, priceUsd: 1 });
  const values = ['ETH', 'BTC', 'LINK'].map((asset) => leg(asset, 0.2 + random()));
  const collateral = values.map((each) => ({ ...each, liquidationThreshold: 0.8, liquidationBonus: 0 }));
  const weighted = collateral.reduce((sum, { amount }) => sum + amount * 0.8, 0);
  const debtUsd = weighted / (1.03 + 0.6 * random());
  const short = 0.3 * random();
  return { collateral, debt: [leg('USDC', debtUsd * (1 - short)), leg('BTC', debtUsd * short)] };
}

/** Net value of each asset, weighted by its threshold: HF < 1 when their sum falls below 0. */
function netValues({ collateral, debt }: RiskPosition): number[] {
  return ASSETS.map((asset) => {
    const held = collateral.find((leg) => leg.asset === asset);
    const owed = debt.find((leg) => leg.asset === asset);
    return (held?.amount ?? 0) * (held?.liquidationThreshold ?? 0) - (owed?.amount ?? 0);
  });
}

/** Walks prices in steps of a quarter of an hour, independently of the library's simulation. */
function isTouched(held: RiskPosition, random: () => number): boolean {
  const net = netValues(held);
  const constant = net[3]!;
  const scale = 1 / Math.sqrt(STEPS_PER_DAY);
  const idiosyncratic = Math.sqrt(1 - COMMON ** 2);
  const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const log = [0, 0, 0];
  for (let step = 0; step < DAYS * STEPS_PER_DAY; step += 1) {
    const common = normal() * COMMON;
    let value = constant;
    for (let i = 0; i < 3; i += 1) {
      const shock = common + normal() * idiosyncratic;
      log[i]! += DAILY[i]! * scale * shock - DAILY[i]! ** 2 / 2 / STEPS_PER_DAY;
      value += net[i]! * Math.exp(log[i]!);
    }
    if (value < 0) return true;
  }
  return false;
}

describe('predicted against frequency', () => {
  it('200 positions simulated independently: χ² over ten bins, p > 0.01', () => {
    const random = uniforms(randomBits(seedOf('positions')));
    const paths = uniforms(randomBits(seedOf('paths')));
    const outcomes = Array.from({ length: POSITIONS }, () => {
      const held = position(random);
      expect(healthFactor(held)).toBeGreaterThan(1);
      const { liquidationProbability } = simulateGbm(held, market, {
        horizonDays: DAYS,
        paths: 1_000,
        seed: 1,
      });
      const touches = Array.from({ length: TRIALS }, () => isTouched(held, paths)).filter(Boolean).length;
      return { predicted: liquidationProbability, touches };
    }).sort((a, b) => a.predicted - b.predicted);
    const size = POSITIONS / BINS;
    const statistic = Array.from({ length: BINS }, (_, bin) => {
      const inBin = outcomes.slice(bin * size, (bin + 1) * size);
      const expected = inBin.reduce((sum, { predicted }) => sum + predicted * TRIALS, 0);
      const variance = inBin.reduce((sum, { predicted }) => sum + predicted * (1 - predicted) * TRIALS, 0);
      const observed = inBin.reduce((sum, { touches }) => sum + touches, 0);
      return (observed - expected) ** 2 / variance;
    }).reduce((sum, term) => sum + term, 0);
    expect(statistic).toBeLessThan(CRITICAL);
  }, 60_000);
});
