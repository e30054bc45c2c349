import {
  type AlertCause,
  type Band,
  assetClass,
  bandRank,
  isCorrelated,
  isStableAsset,
  priceSymbol,
} from '@plimsoll/contracts';
import { type ContractFigures, type StoredLeg, legsOf, valueUsd } from './holdings';

/**
 * Share of the distance to liquidation, covered by a market deviation, at which each level begins. The worst
 * comes first.
 */
const EDGES = [
  { level: 'critical', opensAt: 1 },
  { level: 'high', opensAt: 0.5 },
] as const;
/** An open level stays down to this share of its edge: high to 40 % of the distance, critical to 80 %. */
const CLOSES_BELOW = 0.8;
/** Tolerance for the error of a double, so that a price exactly on an edge counts. */
const ROUNDING = 1e-9;

/** Fresh market prices in USD, as price.v1 names their assets. */
export type MarketPrices = Readonly<Record<string, number>>;

export interface Depeg {
  /** `critical`: at market prices the position is liquidatable, or was a moment ago. */
  level: 'high' | 'critical';
  cause: AlertCause;
}

/**
 * Returns whether market prices would bring a position into danger that its oracle does not show yet. Only
 * positions whose collateral and debt move together qualify. For all others the oracle follows the market,
 * and the level shows the danger. The deviation is the share by which the health factor is lower at market
 * prices. The distance is the deviation at which the health factor is 1. Also null while one of the assets
 * has no fresh market price, because an older oracle price does not compare.
 * @param openLevel level of the open danger alert; null: none
 */
export function depegOf(
  figures: ContractFigures,
  healthFactor: number | null,
  market: MarketPrices,
  openLevel: Band | null,
): Depeg | null {
  // Below 1, the contract's own figure shows the danger.
  if (healthFactor === null || healthFactor <= 1 || !movesTogether(figures)) return null;
  const atMarket = marketHealthFactor(figures, healthFactor, market);
  if (atMarket === null) return null;
  const covered = (1 - atMarket / healthFactor) / (1 - 1 / healthFactor);
  const edge = EDGES.find(({ level, opensAt }) => {
    const isOpen = openLevel !== null && bandRank(openLevel) >= bandRank(level);
    return covered >= opensAt * (isOpen ? CLOSES_BELOW : 1) - ROUNDING;
  });
  const worst = worstLeg(figures, market);
  return edge && worst ? { level: edge.level, cause: depegCause(worst, market) } : null;
}

/** Returns whether the prices of all counted assets follow each other. */
export function movesTogether(figures: ContractFigures): boolean {
  const { collateral, debt } = counted(figures);
  if (!figures.isUsdKnown || [...collateral, ...debt].some(({ priceUsd }) => priceUsd <= 0)) return false;
  const assets = (legs: readonly StoredLeg[]): string[] => legs.map(({ asset }) => asset);
  return isCorrelated(assets(collateral), assets(debt));
}

/** Returns the health factor at market prices. Null without debt, or while a price is unknown. */
export function marketHealthFactor(
  figures: ContractFigures,
  healthFactor: number,
  market: MarketPrices,
): number | null {
  if (unpricedAssets(figures, market).length > 0) return null;
  const atOracle = ratio(figures, ({ priceUsd }) => priceUsd);
  const atMarket = ratio(figures, ({ asset }) => market[priceSymbol(asset)] ?? 0);
  return atOracle === null || atMarket === null ? null : (healthFactor * atMarket) / atOracle;
}

/** Returns the position's assets without a fresh market price, by the protocol's names. */
export function unpricedAssets(figures: ContractFigures, market: MarketPrices): string[] {
  const { collateral, debt } = counted(figures);
  const unpriced = [...collateral, ...debt].filter(({ asset }) => !((market[priceSymbol(asset)] ?? 0) > 0));
  return [...new Set(unpriced.map(({ asset }) => asset))];
}

/** Returns the current deviation of an asset's market price, or null while it is unknown. */
export function deviationOf(
  figures: ContractFigures,
  asset: string,
  market: MarketPrices,
): AlertCause | null {
  const leg = atOracleLevel(figures, market).find((each) => each.asset === asset && each.priceUsd > 0);
  return leg === undefined || market[priceSymbol(asset)] === undefined ? null : depegCause(leg, market);
}

function depegCause({ asset, priceUsd }: StoredLeg, market: MarketPrices): AlertCause {
  const toUsd = market[priceSymbol(asset)] ?? priceUsd;
  return { kind: 'depeg', asset, changePercent: (toUsd / priceUsd - 1) * 100, fromUsd: priceUsd, toUsd };
}

/**
 * Returns the counted legs at the oracle prices to compare the market with. Oracle prices of a state are as
 * old as its last event. When a whole family moves, such as ETH and its staking tokens, its oracle prices
 * move with the asset that the others follow.
 */
function atOracleLevel(figures: ContractFigures, market: MarketPrices): StoredLeg[] {
  const { collateral, debt } = counted(figures);
  const legs = [...collateral, ...debt];
  const anchor = legs.find(({ asset }) => priceSymbol(asset) === assetClass(asset).family) ?? debt[0];
  const anchorUsd = anchor && market[priceSymbol(anchor.asset)];
  if (anchor === undefined || anchorUsd === undefined || isStableAsset(anchor.asset)) return legs;
  return legs.map((leg) => ({ ...leg, priceUsd: (leg.priceUsd * anchorUsd) / anchor.priceUsd }));
}

/** Returns the legs on which the health factor depends. */
function counted(figures: ContractFigures): { collateral: StoredLeg[]; debt: StoredLeg[] } {
  return {
    collateral: legsOf(figures, 'collateral').filter(({ thresholdBps }) => thresholdBps > 0),
    debt: legsOf(figures, 'debt'),
  };
}

function ratio(figures: ContractFigures, priceOf: (leg: StoredLeg) => number): number | null {
  const { collateral, debt } = counted(figures);
  const weighted = collateral.reduce((sum, leg) => sum + leg.amount * priceOf(leg) * leg.thresholdBps, 0);
  const owed = debt.reduce((sum, leg) => sum + leg.amount * priceOf(leg), 0);
  return owed > 0 && weighted > 0 ? weighted / owed : null;
}

/** Returns the leg whose market price has the largest negative effect. */
function worstLeg(figures: ContractFigures, market: MarketPrices): StoredLeg | null {
  const cost = (leg: StoredLeg): number => {
    const gain = ((market[priceSymbol(leg.asset)] ?? 0) / leg.priceUsd - 1) * valueUsd(leg);
    return leg.side === 'debt' ? gain : (-gain * leg.thresholdBps) / 10_000;
  };
  const [worst] = atOracleLevel(figures, market).sort((a, b) => cost(b) - cost(a));
  return worst !== undefined && cost(worst) > 0 ? worst : null;
}
