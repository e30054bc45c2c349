import type { Band, PositionV1 } from '@plimsoll/contracts';
import {
  type CollateralPeaks,
  type Holdings,
  NO_HOLDINGS,
  advancePeaks,
  priceRatio,
} from './collateral-drop';

/** What alerts keep of a position: what conditions look at and what an alert tells. */
export interface PositionState {
  id: string;
  sequence: number;
  wallet: string;
  protocol: string;
  chainId: number;
  healthFactor: number | null;
  collateralUsd: number;
  debtUsd: number;
  band: Band;
  closed: boolean;
  /** Null for a state that was stored before blocks were. */
  block: number | null;
  /** Time of the block, milliseconds since 1970; null as `block`. */
  blockAtMs: number | null;
  holdings: Holdings;
  peaks: CollateralPeaks | null;
}

/** @param previous the state before the event; null: none is known */
export function positionState(event: PositionV1, previous: PositionState | null = null): PositionState {
  const { id, sequence, wallet, protocol, chainId, healthFactor, band, closed, block } = event;
  const { totalCollateralUsd: collateralUsd, totalDebtUsd: debtUsd } = event;
  const blockAtMs = Date.parse(event.blockTime);
  const holdings = holdingsOf(event.legs);
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
    closed,
    block,
    blockAtMs,
    holdings,
    // An opened position is a new one: what it held before is no measure.
    peaks: advancePeaks(previous === null || previous.closed ? null : previous.peaks, ratio, blockAtMs),
  };
}

function holdingsOf(legs: PositionV1['legs']): Holdings {
  const holdings: Holdings = { prices: {}, collateral: {}, debt: {} };
  for (const { asset, side, amount, usedAsCollateral, priceRaw, priceDecimals } of legs) {
    holdings.prices[asset] = Number(priceRaw) / 10 ** priceDecimals;
    if (side === 'debt') holdings.debt[asset] = (holdings.debt[asset] ?? 0) + amount;
    else if (usedAsCollateral) holdings.collateral[asset] = (holdings.collateral[asset] ?? 0) + amount;
  }
  return holdings;
}
