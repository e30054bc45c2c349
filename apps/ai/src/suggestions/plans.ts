import type { PositionEMode } from '@plimsoll/contracts';
import {
  type RiskPosition,
  addToTarget,
  healthFactor,
  positionTotals,
  repayToTarget,
  volatileDistancePercent,
} from '@plimsoll/risk-math';
import type { AmountChange } from '@plimsoll/risk-position';
import type { Plan } from './plan';

/** Swapping costs the fee of the usual pool and its slippage, the same as in a deleverage. */
const SWAP_COST = 0.008;
/** Factor by which a swap increases the fall that the position survives, up to MOST_DISTANCE percent. */
const DISTANCE_GAIN = 1.5;
const MOST_DISTANCE = 90;
const HALF = 0.5;
/** Share of the debt in one asset from which a refinancing is suggested. */
const CONCENTRATED = 0.75;

/** Debt repaid from outside until the health factor is at the target. Null when it is already there. */
export function planRepay(position: RiskPosition, target: number): Plan | null {
  const usd = repayToTarget(position, target);
  if (usd <= 0) return null;
  const aim = { kind: 'health_factor', value: target } as const;
  return { type: 'repay_debt', aim, usd, changes: takenFromDebt(position, usd) };
}

/** Collateral added in the asset that needs the least. */
export function planAdd(position: RiskPosition, target: number): Plan | null {
  const ways = [...new Set(position.collateral.map(({ asset }) => asset))].flatMap((asset) => {
    const usd = addToTarget(position, asset, target);
    return usd === null || usd <= 0 || !securing(position, asset) ? [] : [{ asset, usd }];
  });
  const [least] = ways.toSorted((a, b) => a.usd - b.usd);
  if (!least) return null;
  return {
    type: 'add_collateral',
    aim: { kind: 'health_factor', value: target },
    usd: least.usd,
    changes: [{ asset: least.asset, side: 'collateral', usd: least.usd }],
  };
}

/** All debt repaid. */
export function planClose(position: RiskPosition): Plan | null {
  const usd = positionTotals(position).totalDebtUsd;
  if (usd <= 0) return null;
  return {
    type: 'close_position',
    aim: { kind: 'debt', value: 0 },
    usd,
    changes: takenFromDebt(position, usd),
  };
}

/**
 * Volatile collateral swapped into stable collateral that the position has already, until it survives a
 * larger fall: S = ((1 − d)·Wv + Ws − D) / ((1 − d)·LTv − (1 − c)·LTs). Null when there is none, or no swap
 * reaches it.
 * @param isStable of a price symbol
 */
export function planSwap(position: RiskPosition, isStable: (asset: string) => boolean): Plan | null {
  const securing = position.collateral.filter(
    ({ liquidationThreshold, amount }) => liquidationThreshold > 0 && amount > 0,
  );
  const value = ({ amount, priceUsd }: { amount: number; priceUsd: number }): number => amount * priceUsd;
  const [from] = securing.filter(({ asset }) => !isStable(asset)).toSorted((a, b) => value(b) - value(a));
  const to = securing.find(({ asset }) => isStable(asset));
  const now = volatileDistancePercent(position, isStable);
  if (!from || !to || now === null || now <= 0) return null;
  const aim = Math.min(MOST_DISTANCE, now * DISTANCE_GAIN);
  if (aim <= now) return null;
  const kept = 1 - aim / 100;
  const weighted = (stable: boolean): number =>
    securing
      .filter(({ asset }) => isStable(asset) === stable)
      .reduce((sum, leg) => sum + value(leg) * leg.liquidationThreshold, 0);
  const debt = positionTotals(position).totalDebtUsd;
  const gain = kept * from.liquidationThreshold - (1 - SWAP_COST) * to.liquidationThreshold;
  const usd = (kept * weighted(false) + weighted(true) - debt) / gain;
  if (!(usd > 0) || usd > value(from)) return null;
  return {
    type: 'reduce_volatility',
    aim: { kind: 'distance', value: aim },
    usd,
    changes: [
      { asset: from.asset, side: 'collateral', usd: -usd },
      { asset: to.asset, side: 'collateral', usd: usd * (1 - SWAP_COST) },
    ],
  };
}

/** The largest debt refinanced in another debt asset, until it is half of all. */
export function planSpread(position: RiskPosition): Plan | null {
  const total = positionTotals(position).totalDebtUsd;
  const owed = position.debt
    .map(({ asset, amount, priceUsd }) => ({ asset, usd: amount * priceUsd }))
    .toSorted((a, b) => b.usd - a.usd);
  const [largest, next] = owed;
  if (!largest || !next || largest.asset === next.asset || largest.usd < CONCENTRATED * total) return null;
  const usd = largest.usd - HALF * total;
  return {
    type: 'diversify_debt',
    aim: { kind: 'debt_share', value: HALF },
    usd,
    changes: [
      { asset: largest.asset, side: 'debt', usd: -usd },
      { asset: next.asset, side: 'debt', usd },
    ],
  };
}

/** The safest e-mode that the wallet may enter. It costs only gas. Null if none makes it safer. */
export function planEMode(position: RiskPosition, eModes: readonly PositionEMode[]): Plan | null {
  const now = healthFactor(position);
  const [best] = eModes.toSorted((a, b) => b.healthFactor - a.healthFactor);
  if (!best || now === null || best.healthFactor <= now) return null;
  const aim = { kind: 'health_factor', value: best.healthFactor } as const;
  return { type: 'move_to_emode', aim, usd: null, changes: [], eMode: best };
}

/** An alert before the next edge below. Its target is the health factor that triggers it. */
export function planAlert(position: RiskPosition, edges: readonly number[]): Plan | null {
  const now = healthFactor(position);
  const edge = edges.find((each) => now !== null && each < now);
  if (edge === undefined) return null;
  return { type: 'set_alert', aim: { kind: 'health_factor', value: edge }, usd: null, changes: [] };
}

function securing({ collateral }: RiskPosition, asset: string): boolean {
  return collateral.some((leg) => leg.asset === asset && leg.liquidationThreshold > 0);
}

/** Largest debts first. */
function takenFromDebt({ debt }: RiskPosition, usd: number): AmountChange[] {
  const byAsset = new Map<string, number>();
  for (const { asset, amount, priceUsd } of debt)
    byAsset.set(asset, (byAsset.get(asset) ?? 0) + amount * priceUsd);
  let left = usd;
  return [...byAsset]
    .toSorted((a, b) => b[1] - a[1])
    .flatMap(([asset, owed]): AmountChange[] => {
      const taken = Math.min(left, owed);
      left -= taken;
      return taken > 0 ? [{ asset, side: 'debt', usd: -taken }] : [];
    });
}
