import type { RawLeg } from './raw-position';
import type { Token } from './tokens';

/** A token with its price by the protocol's own oracle. */
export interface PricedToken extends Token, Pick<RawLeg, 'priceRaw' | 'priceDecimals' | 'oracle'> {}

/** The amount with interest, and as the protocol stores it. */
export interface LegAmount {
  amountRaw: bigint;
  /** Default: the amount, if the protocol stores no separate principal. */
  scaledRaw?: bigint;
  annualRate?: number;
}

/** A supply that secures debt, with its threshold. */
export function collateralLeg(token: PricedToken, amount: LegAmount, thresholdBps: bigint): RawLeg {
  return {
    ...legOf(token, amount),
    side: 'collateral',
    liquidationThresholdBps: thresholdBps,
    usedAsCollateral: true,
  };
}

/** A supply that is not collateral. */
export function lentLeg(token: PricedToken, amount: LegAmount): RawLeg {
  return { ...legOf(token, amount), ...NO_COLLATERAL, side: 'collateral' };
}

/** The debt leg of a protocol that shows debt only with interest. */
export function growingDebtLeg(token: PricedToken, amountRaw: bigint): RawLeg {
  return { ...debtLeg(token, { amountRaw }), scaledGrows: true };
}

/** A debt leg. */
export function debtLeg(token: PricedToken, amount: LegAmount): RawLeg {
  return { ...legOf(token, amount), ...NO_COLLATERAL, side: 'debt' };
}

const NO_COLLATERAL = { liquidationThresholdBps: 0n, usedAsCollateral: false } as const;

function legOf(
  { address, symbol, decimals, priceRaw, priceDecimals, oracle }: PricedToken,
  { amountRaw, scaledRaw = amountRaw, annualRate }: LegAmount,
) {
  const rate = annualRate === undefined ? {} : { annualRate };
  return { address, symbol, decimals, priceRaw, priceDecimals, oracle, amountRaw, scaledRaw, ...rate };
}
