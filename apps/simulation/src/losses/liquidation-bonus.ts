import { depthOfSymbol } from '@plimsoll/risk-position';
import type { DepthClass } from '@plimsoll/risk-math';

/** LIQUIDATION_CURSOR and MAX_LIQUIDATION_INCENTIVE_FACTOR of Morpho Blue's ConstantsLib. */
const MORPHO_CURSOR = 0.3;
const MORPHO_MAX = 0.15;

/**
 * One bonus for every collateral, typical of the main market of each protocol, for markets whose own value is
 * not read.
 */
const OF_FAMILY: Readonly<Record<string, number>> = {
  'compound-v2': 0.08,
  venus: 0.1,
  maker: 0.13,
  'liquity-v1': 0.1,
  'liquity-v2': 0.05,
};

/** Aave v3's core market on Ethereum and its followers, by the depth of the collateral's market. */
const OF_CLASS: Readonly<Record<DepthClass, number>> = {
  btc: 0.05,
  eth: 0.05,
  steth: 0.06,
  large_stable: 0.045,
  listed: 0.075,
  unknown: 0.1,
};

/** Families whose contracts compute the bonus only from the threshold. */
export const RULED_FAMILIES: ReadonlySet<string> = new Set(['morpho-blue']);

/**
 * The bonus of a liquidator on top of the repaid debt, as a share. Never more than 1/threshold − 1: Aave
 * accepts no parameters by which a position at HF 1 could not pay it, so e-modes have smaller ones.
 * @param family of the protocol's contracts, as the registry names it
 */
export function liquidationBonus(family: string, symbol: string, threshold: number): number {
  if (threshold <= 0) return 0;
  if (RULED_FAMILIES.has(family)) {
    return Math.min(MORPHO_MAX, 1 / (MORPHO_CURSOR * threshold + 1 - MORPHO_CURSOR) - 1);
  }
  const typical = OF_FAMILY[family] ?? OF_CLASS[depthOfSymbol(symbol).class];
  return Math.max(0, Math.min(typical, 1 / threshold - 1));
}
