import { standardNormal, type Random } from './random';

/** The dynamics of one asset. `anchorUsd` is the price to which it returns. */
export interface AssetDynamics {
  symbol: string;
  anchorUsd: number;
  /** Standard deviation of the log-return over a year. */
  annualVolatility: number;
  /** Share of each return that comes from the market as a whole, −1 to 1. */
  marketCorrelation: number;
  /** The asset's share of a jump of the market. */
  jumpBeta: number;
  /** Time in which half of the distance to the anchor disappears. */
  halfLifeDays: number;
}

const YEAR_SECONDS = 365 * 86_400;
const DAY_SECONDS = 86_400;
const JUMPS_PER_YEAR = 90;
/** Jumps of the market have a negative mean, like crashes. */
const JUMP_MEAN = -0.012;
const JUMP_DEVIATION = 0.028;

/**
 * The next price of every asset after `stepSeconds` of market time: correlated log-returns (one market
 * factor), jumps that all assets share, and a pull towards the anchors so that an unattended market stays
 * near them for days. Pure: all randomness comes from `random`. An asset without a price in `prices` is
 * omitted.
 */
export function stepPrices(
  assets: readonly AssetDynamics[],
  prices: ReadonlyMap<string, number>,
  random: Random,
  stepSeconds: number,
): Map<string, number> {
  const market = standardNormal(random);
  const jumped = random() < 1 - Math.exp((-JUMPS_PER_YEAR * stepSeconds) / YEAR_SECONDS);
  const jump = jumped ? JUMP_MEAN + JUMP_DEVIATION * standardNormal(random) : 0;
  const next = new Map<string, number>();
  for (const asset of assets) {
    const own = standardNormal(random);
    const price = prices.get(asset.symbol);
    if (price === undefined) continue;
    const { marketCorrelation: rho, annualVolatility, anchorUsd, halfLifeDays, jumpBeta } = asset;
    const shock = rho * market + Math.sqrt(1 - rho * rho) * own;
    const diffusion = annualVolatility * Math.sqrt(stepSeconds / YEAR_SECONDS) * shock;
    const pull = 1 - 2 ** (-stepSeconds / (halfLifeDays * DAY_SECONDS));
    const drift = pull * Math.log(anchorUsd / price);
    next.set(asset.symbol, price * Math.exp(drift + diffusion + jumpBeta * jump));
  }
  return next;
}
