import { type Band, type PositionV1, priceSymbol } from '@plimsoll/contracts';
import { contractFigures } from '../content/contract-figures';
import { type CollateralPeaks, advancePeaks, priceRatio } from './collateral-drop';
import { healthFactorOf, levelOf } from './danger-level';
import { type Holdings, NO_HOLDINGS, holdingsOf } from './holdings';

/** How risky a position is, by the simulation service. */
export interface RiskFigures {
  /** 0 to 100. */
  riskScore: number;
  /** Within 30 days, 0 to 1. */
  liquidationProbability: number;
}

/** What alerts keep of a position: what conditions look at and what an alert tells. */
export interface PositionState {
  id: string;
  sequence: number;
  wallet: string;
  protocol: string;
  chainId: number;
  /** Below 1 exactly when the position can be liquidated. */
  healthFactor: number | null;
  collateralUsd: number;
  debtUsd: number;
  band: Band;
  /** What danger alerts go by: `liquidatable` exactly below a health factor of 1, otherwise the band. */
  level: Band;
  /** False: no oracle of the chain prices its market in dollars, so that the figures in USD are 0 and say nothing. */
  isUsdKnown: boolean;
  closed: boolean;
  /** Null for a state that was stored before blocks were. */
  block: number | null;
  /** Null as `block`, or for a state that was stored before hashes were. */
  blockHash: string | null;
  /** Time of the block, milliseconds since 1970; null as `block`. */
  blockAtMs: number | null;
  holdings: Holdings;
  peaks: CollateralPeaks | null;
  /** As they were asked for last; null until a rule made them worth asking for. */
  riskScore: RiskFigures['riskScore'] | null;
  liquidationProbability: RiskFigures['liquidationProbability'] | null;
}

/** @param previous the state before the event; null: none is known */
export function positionState(event: PositionV1, previous: PositionState | null = null): PositionState {
  const { id, sequence, wallet, protocol, chainId, band, closed, block, blockHash } = event;
  const healthFactor = healthFactorOf(event);
  const { totalCollateralUsd: collateralUsd, totalDebtUsd: debtUsd } = event;
  const blockAtMs = Date.parse(event.blockTime);
  const holdings: Holdings = { ...holdingsOf(event.legs), contract: contractFigures(event) };
  const before = previous?.holdings ?? NO_HOLDINGS;
  const ratio = priceRatio(before.collateral, before.prices, holdings.prices);
  return {
    id,
    sequence,
    wallet,
    protocol,
    chainId,
    healthFactor,
    collateralUsd,
    debtUsd,
    band,
    level: levelOf({ healthFactor, band, closed }),
    isUsdKnown: event.usdPerBaseRaw !== '0',
    closed,
    block,
    blockHash,
    blockAtMs,
    holdings,
    // An opened position is a new one: what it held before is no measure.
    peaks: advancePeaks(previous === null || previous.closed ? null : previous.peaks, ratio, blockAtMs),
    riskScore: previous?.riskScore ?? null,
    liquidationProbability: previous?.liquidationProbability ?? null,
  };
}

/** What a position has as collateral or owes, as price.v1 names it, in order; nothing once it is closed. */
export function heldAssets({ holdings, closed }: Pick<PositionState, 'holdings' | 'closed'>): string[] {
  if (closed) return [];
  const symbols = [...Object.keys(holdings.collateral), ...Object.keys(holdings.debt)];
  return [...new Set(symbols.map(priceSymbol))].sort();
}
