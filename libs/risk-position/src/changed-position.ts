import {
  type AmountChangeBody,
  type FieldError,
  invalidRequest,
  priceSymbol,
  type PositionDetail,
} from '@plimsoll/contracts';
import type { CollateralLeg, DebtLeg, RiskPosition } from '@plimsoll/risk-math';
import type { HeldPosition } from './risk-position';

/** A change of one amount: its asset in any case, its side, and USD added or taken away. */
export type AmountChange = Pick<AmountChangeBody, 'asset' | 'side' | 'usd'>;

/** Rounding may leave this share of an amount that is removed in full. The rest counts as zero. */
const DUST = 1e-9;

type Leg = CollateralLeg | DebtLeg;

/**
 * Returns the position with changed amounts, at the same prices and thresholds. An asset may have several legs on one
 * side. An addition goes to the first leg that secures debt. A removal takes from all of them in turn.
 * @throws invalid_request when the position lacks a changed asset or has less of it than the change removes
 */
export function changedPosition(position: RiskPosition, changes: readonly AmountChange[]): RiskPosition {
  const collateral = position.collateral.map((leg) => ({ ...leg }));
  const debt = position.debt.map((leg) => ({ ...leg }));
  const errors = changes.flatMap(({ asset, side, usd }, index): FieldError[] => {
    const legs: Leg[] = (side === 'collateral' ? collateral : debt).filter(
      (leg) => leg.asset === priceSymbol(asset) && leg.priceUsd > 0,
    );
    const error = (code: string, message: string): FieldError[] => [
      { field: `changes[${index}]`, code, message },
    ];
    const [first] = legs.toSorted((a, b) => Number(securesDebt(b)) - Number(securesDebt(a)));
    if (!first) return error('not_held', `The position has no such ${side}.`);
    if (usd >= 0) first.amount += usd / first.priceUsd;
    else if (!takeFromLegs(legs, -usd)) return error('too_much', 'It removes more than the position has.');
    return [];
  });
  if (errors.length > 0) throw invalidRequest(errors);
  return { collateral, debt: debt.filter(({ amount }) => amount > 0) };
}

function securesDebt(leg: Leg): boolean {
  return !('liquidationThreshold' in leg) || leg.liquidationThreshold > 0;
}

/** Reduces the legs in turn. @returns whether the legs had the whole value */
function takeFromLegs(legs: readonly Leg[], usd: number): boolean {
  let remainingUsd = usd;
  for (const leg of legs) {
    const value = leg.amount * leg.priceUsd;
    const taken = Math.min(remainingUsd, value);
    const amount = (value - taken) / leg.priceUsd;
    leg.amount = amount <= DUST * leg.amount ? 0 : amount;
    remainingUsd -= taken;
  }
  return remainingUsd <= DUST * usd;
}

/** A position with the e-modes that it may enter. */
export type EModePosition = HeldPosition & Pick<PositionDetail, 'eModes'>;

/** Returns the position as it would be in an e-mode, or null when the wallet may not enter that e-mode. */
export function inEMode<T extends EModePosition>(position: T, id: number): T | null {
  const eMode = position.eModes?.find((each) => each.id === id);
  if (!eMode) return null;
  const thresholds = new Map(
    eMode.collateral.map(({ address, liquidationThresholdBps }) => [
      address.toLowerCase(),
      liquidationThresholdBps,
    ]),
  );
  return {
    ...position,
    healthFactor: eMode.healthFactor,
    healthFactorRaw: eMode.healthFactorRaw,
    collateralAssets: position.collateralAssets.map((leg) => {
      const threshold = thresholds.get(leg.address.toLowerCase());
      return threshold === undefined ? leg : { ...leg, liquidationThresholdBps: threshold };
    }),
  };
}
