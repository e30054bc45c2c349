import { slippageUsd, type Depth } from '../depth/depth';
import { liquidationCall, type LiquidationCall } from './liquidation-call';
import type { CollateralLeg, RiskPosition } from './position';
import { positionTotals } from './totals';

/** The cost of a price change, by cause and by owner or protocol; USD. */
export interface LossSplit {
  /** Loss of value at the new prices, before any liquidation. */
  marketLossUsd: number;
  /** The liquidators' receipts beyond the debt that they repay. */
  penaltyUsd: number;
  /** The loss of the seized collateral's sale by its own price impact. */
  slippageUsd: number;
  /** Debt without remaining collateral: the protocol's loss, not the owner's. */
  badDebtUsd: number;
}

/** A loss with its liquidation calls. */
export interface ScenarioLoss extends LossSplit {
  /** The owner's loss: market, penalty and slippage. At most the net worth before. */
  lossUsd: number;
  /** Liquidation calls in their order. Empty if the health factor stays at 1 or above. */
  calls: LiquidationCall[];
}

/** This many halvings of the debt leave nothing of any position. */
const MAX_CALLS = 64;
/** A rounding remainder of an amount that is taken in full. */
const DUST = 1e-12;

function taken<Leg extends { asset: string; amount: number; priceUsd: number }>(
  legs: readonly Leg[],
  asset: string,
  usd: number,
): Leg[] {
  const valueUsd = legs.reduce((sum, leg) => sum + (leg.asset === asset ? leg.amount * leg.priceUsd : 0), 0);
  const left = 1 - usd / valueUsd;
  const share = left < DUST ? 0 : left;
  return legs.map((leg) => (leg.asset === asset ? { ...leg, amount: leg.amount * share } : leg));
}

/** Calls until the position is healthy again or nothing remains to seize, and the position after them. */
function liquidated(position: RiskPosition): { calls: LiquidationCall[]; rest: RiskPosition } {
  const calls: LiquidationCall[] = [];
  let rest = position;
  for (
    let call = liquidationCall(rest);
    call !== null && calls.length < MAX_CALLS;
    call = liquidationCall(rest)
  ) {
    calls.push(call);
    rest = {
      collateral: taken(rest.collateral, call.collateralAsset, call.seizeUsd),
      debt: taken(rest.debt, call.debtAsset, call.repayUsd),
    };
  }
  return { calls, rest };
}

/** Each asset's seizures are one sale. A seized asset that repays a debt in the same asset is not sold. */
function saleLossUsd(calls: readonly LiquidationCall[], depthOf: (asset: string) => Depth): number {
  const soldUsd = new Map<string, number>();
  for (const { collateralAsset, debtAsset, seizeUsd } of calls) {
    if (collateralAsset === debtAsset) continue;
    soldUsd.set(collateralAsset, (soldUsd.get(collateralAsset) ?? 0) + seizeUsd);
  }
  return [...soldUsd].reduce((sum, [asset, usd]) => sum + slippageUsd(depthOf(asset), usd), 0);
}

const secures = ({ liquidationThreshold }: CollateralLeg): boolean => liquidationThreshold > 0;

/**
 * The losses of the owner and the protocol when prices change from those of `before` to those of `after`,
 * with the liquidations that follow by the rules of `liquidationCall`: L = market + penalty + slippage, each
 * in turn limited to the remaining equity. A loan is without recourse, so the owner loses at most the net
 * worth, and supplies that secure nothing are never seized. Slippage counts as the owner's: with a fixed
 * bonus the liquidator pays the first part of it, so L is the upper end. All calls are at the prices of
 * `after`: the effect of a sale on the prices of others is not included. Error: as `positionTotals`, and the
 * depth model's for slippage. Source: our own definition, docs/model.md.
 * @param depthOf the market of each seized asset
 */
export function scenarioLoss(
  before: RiskPosition,
  after: RiskPosition,
  depthOf: (asset: string) => Depth,
): ScenarioLoss {
  const worthUsd = positionTotals(before).netWorthUsd;
  const { netWorthUsd, isLiquidatable } = positionTotals(after);
  const fallUsd = worthUsd - netWorthUsd;
  if (!isLiquidatable) {
    const marketLossUsd = clamp(fallUsd, worthUsd);
    return { lossUsd: marketLossUsd, marketLossUsd, penaltyUsd: 0, slippageUsd: 0, badDebtUsd: 0, calls: [] };
  }
  const idle = after.collateral.filter((leg) => !secures(leg));
  const { calls, rest } = liquidated({ collateral: after.collateral.filter(secures), debt: after.debt });
  const atStakeUsd = worthUsd - positionTotals({ collateral: idle, debt: [] }).netWorthUsd;
  const marketLossUsd = clamp(fallUsd, atStakeUsd);
  const bonusUsd = calls.reduce((sum, call) => sum + call.penaltyUsd, 0);
  const penaltyUsd = clamp(bonusUsd, atStakeUsd - marketLossUsd);
  const saleUsd = saleLossUsd(calls, depthOf);
  const slippage = clamp(saleUsd, atStakeUsd - marketLossUsd - penaltyUsd);
  return {
    lossUsd: marketLossUsd + penaltyUsd + slippage,
    marketLossUsd,
    penaltyUsd,
    slippageUsd: slippage,
    badDebtUsd: Math.max(0, -positionTotals(rest).netWorthUsd),
    calls,
  };
}

/** Limits a value to 0 and a cap, which may itself be below 0. */
function clamp(value: number, cap: number): number {
  return Math.max(0, Math.min(value, cap));
}
