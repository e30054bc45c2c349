import { type AmountChangeBody, type FieldError, invalidRequest, priceSymbol } from '@plimsoll/contracts';
import type { CollateralLeg, DebtLeg, RiskPosition } from '@plimsoll/risk-math';

/** A change of one amount: its asset in any case, its side, and USD added or taken away. */
export type AmountChange = Pick<AmountChangeBody, 'asset' | 'side' | 'usd'>;

/** Of what is taken away in full a rounding may be left: a share of what is there. */
const DUST = 1e-9;

type Leg = CollateralLeg | DebtLeg;

/**
 * The position with other amounts, at the same prices and thresholds. What is added to an asset that stands on a side
 * several times goes to the first that secures debt; what is taken comes from all of them in turn.
 * @throws invalid_request naming the changes of what the position does not have, or takes more of than is there
 */
export function changedPosition(position: RiskPosition, changes: readonly AmountChange[]): RiskPosition {
  const collateral = position.collateral.map((leg) => ({ ...leg }));
  const debt = position.debt.map((leg) => ({ ...leg }));
  const errors = changes.flatMap(({ asset, side, usd }, at): FieldError[] => {
    const legs: Leg[] = (side === 'collateral' ? collateral : debt).filter(
      (leg) => leg.asset === priceSymbol(asset) && leg.priceUsd > 0,
    );
    const error = (code: string, message: string): FieldError[] => [
      { field: `changes.${at}`, code, message },
    ];
    const [first] = legs.toSorted((a, b) => Number(secures(b)) - Number(secures(a)));
    if (!first) return error('not_held', `The position has no such ${side}.`);
    if (usd >= 0) first.amount += usd / first.priceUsd;
    else if (!take(legs, -usd)) return error('too_much', 'It takes away more than there is.');
    return [];
  });
  if (errors.length > 0) throw invalidRequest(errors);
  return { collateral, debt: debt.filter(({ amount }) => amount > 0) };
}

function secures(leg: Leg): boolean {
  return !('liquidationThreshold' in leg) || leg.liquidationThreshold > 0;
}

/** @returns whether as much was there */
function take(legs: readonly Leg[], usd: number): boolean {
  let left = usd;
  for (const leg of legs) {
    const value = leg.amount * leg.priceUsd;
    const taken = Math.min(left, value);
    const amount = (value - taken) / leg.priceUsd;
    leg.amount = amount <= DUST * leg.amount ? 0 : amount;
    left -= taken;
  }
  return left <= DUST * usd;
}
