import { type Band, type PositionV1, priceSymbol } from '@plimsoll/contracts';
import { type CollateralPeaks, advancePeaks, priceRatio } from './collateral-drop';
import { healthFactorOf, levelOf } from './danger-level';
import {
  type ChangeReceipt,
  type Holdings,
  NO_HOLDINGS,
  contractFigures,
  holdingsOf,
  oraclesOf,
} from './holdings';

/** Risk of a position, from the simulation service. */
export interface RiskFigures {
  /** 0 to 100. */
  riskScore: number;
  /** Within 30 days, 0 to 1. */
  liquidationProbability: number;
  /** Its standard error. Its upper bound with 95 % confidence where no path was liquidated. */
  liquidationProbabilityError: number | null;
}

/** Stored state of a position: the inputs of conditions and the content of alerts. */
export interface PositionState {
  id: string;
  sequence: number;
  wallet: string;
  protocol: string;
  chainId: number;
  /** Below 1 exactly when the position is liquidatable. */
  healthFactor: number | null;
  collateralUsd: number;
  debtUsd: number;
  band: Band;
  /** Level for danger alerts: `liquidatable` exactly below a health factor of 1, otherwise the band. */
  level: Band;
  /**
   * False when no oracle of the chain prices its market in USD. The figures in USD are then 0 and have no
   * meaning.
   */
  isUsdKnown: boolean;
  closed: boolean;
  /** Null for a state that an early release stored without its block. */
  block: number | null;
  /** Null without `block`, or for a state that was stored without its hash. */
  blockHash: string | null;
  /** Time of the block, milliseconds since 1970. Null without `block`. */
  blockAtMs: number | null;
  holdings: Holdings;
  peaks: CollateralPeaks | null;
  /** The last requested risk. Null until a rule needed it. */
  riskScore: RiskFigures['riskScore'] | null;
  liquidationProbability: RiskFigures['liquidationProbability'] | null;
  liquidationProbabilityError: RiskFigures['liquidationProbabilityError'];
}

/** @param previous the state before the event; null: none is stored */
export function positionState(event: PositionV1, previous: PositionState | null = null): PositionState {
  const { id, sequence, wallet, protocol, chainId, band, closed, block, blockHash } = event;
  const healthFactor = healthFactorOf(event);
  const { totalCollateralUsd: collateralUsd, totalDebtUsd: debtUsd } = event;
  const blockAtMs = Date.parse(event.blockTime);
  const holdings: Holdings = {
    ...holdingsOf(event.legs),
    ...(event.verification && { verification: event.verification }),
    ...receiptOf(event),
    contract: contractFigures(event),
    oracles: oraclesOf(event.legs),
  };
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
    // A reopened position is a new one. Its earlier peaks do not count.
    peaks: advancePeaks(previous === null || previous.closed ? null : previous.peaks, ratio, blockAtMs),
    riskScore: previous?.riskScore ?? null,
    liquidationProbability: previous?.liquidationProbability ?? null,
    liquidationProbabilityError: previous?.liquidationProbabilityError ?? null,
  };
}

function receiptOf({ receiptHash: hash, receiptSequence: sequence }: PositionV1): {
  receipt?: ChangeReceipt;
} {
  return hash === undefined || sequence === undefined ? {} : { receipt: { hash, sequence } };
}

/** Returns the collateral and debt assets, as price.v1 names them, in order. Empty for a closed position. */
export function heldAssets({ holdings, closed }: Pick<PositionState, 'holdings' | 'closed'>): string[] {
  if (closed) return [];
  const symbols = [...Object.keys(holdings.collateral), ...Object.keys(holdings.debt)];
  return [...new Set(symbols.map(priceSymbol))].sort();
}
