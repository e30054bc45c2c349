import { WAD } from '../fixed-point/math';
import { isBorrowing, isUsingAsCollateral, arithmeticOf, isExactRevision } from './math';
import type { EModeChoice } from '../reader/raw-position';
import type { AaveV3Account } from './accounts';
import { belongsTo, heldReserves } from './held-reserves';
import type { AaveV3EMode, AaveV3Market, AaveV3Reserve } from './market';

/**
 * The e-modes that an account may enter now with its debts and collateral, and in which its health factor is
 * higher, safest first. None if the contract's arithmetic is not exact here. Categories that
 * price their assets by a separate feed are omitted. Pure.
 * @param healthFactor the current one; null without debt
 */
export function eModeChoices(
  market: AaveV3Market,
  account: AaveV3Account,
  healthFactor: bigint | null,
): EModeChoice[] {
  const { revision } = market.layout;
  if (healthFactor === null || market.eModes.size === 0) return [];
  if (revision === 0n || !isExactRevision(revision)) return [];
  const bits = account.userConfiguration;
  // A marked reserve has a balance: the pool removes the mark together with the balance.
  const held = market.reserves.filter(({ id }) => account.balances.has(id));
  const borrowed = held.filter(({ id }) => isBorrowing(bits, id));
  const securing = held.filter(({ id }) => isUsingAsCollateral(bits, id));
  return [...market.eModes]
    .filter(
      ([id, category]) =>
        id !== account.eModeCategory && mayEnter(id, category, borrowed, securing) && category.price === null,
    )
    .flatMap(([id, category]) => choice(market, { ...account, eModeCategory: id }, category) ?? [])
    .filter(({ healthFactorRaw }) => healthFactorRaw > healthFactor && healthFactorRaw >= WAD)
    .toSorted(
      (a, b) => Number(b.healthFactorRaw > a.healthFactorRaw) - Number(b.healthFactorRaw < a.healthFactorRaw),
    );
}

/** ValidationLogic.validateSetUserEMode, for an account whose collateral can count for more. */
function mayEnter(
  id: number,
  category: AaveV3EMode,
  borrowed: readonly AaveV3Reserve[],
  securing: readonly AaveV3Reserve[],
): boolean {
  const { borrowableBitmap, ltvZeroBitmap, ltvBps } = category;
  const isIn = (bitmap: bigint, reserve: AaveV3Reserve): boolean =>
    ((bitmap >> BigInt(reserve.id)) & 1n) === 1n;
  const isInside = (reserve: AaveV3Reserve): boolean => belongsTo(reserve, id, category);
  const mayBeOwed = (reserve: AaveV3Reserve): boolean =>
    borrowableBitmap === null ? reserve.parameters.eModeCategory === id : isIn(borrowableBitmap, reserve);
  if (!securing.some(isInside) || !borrowed.every(mayBeOwed)) return false;
  if (ltvZeroBitmap === null) return true;
  return securing.every((reserve) =>
    isInside(reserve) ? ltvBps > 0n && !isIn(ltvZeroBitmap, reserve) : reserve.parameters.ltvBps > 0n,
  );
}

function choice(market: AaveV3Market, moved: AaveV3Account, { label }: AaveV3EMode): EModeChoice | null {
  const arithmetic = arithmeticOf(market.layout.revision);
  const held = heldReserves(market, moved);
  const { healthFactor } = arithmetic.accountTotals(held.map(({ holding }) => holding));
  if (healthFactor === null) return null;
  const collateral = held
    .filter(({ balance }) => balance.scaledSupply > 0n)
    .map(({ reserve: { address }, holding }) => ({
      address,
      liquidationThresholdBps: arithmetic.effectiveThresholdBps(holding),
    }));
  return { id: moved.eModeCategory, label, healthFactorRaw: healthFactor, collateral };
}
