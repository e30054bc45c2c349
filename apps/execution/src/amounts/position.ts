/** One side of a position in one token, exact, as the protocol counts it. */
export interface PlanLeg {
  side: 'collateral' | 'debt';
  /** In the token's smallest unit. */
  amountRaw: bigint;
  decimals: number;
  /** Price of one whole token by the protocol's own oracle, with `priceDecimals` decimals. */
  priceRaw: bigint;
  priceDecimals: number;
  liquidationThresholdBps: bigint;
  usedAsCollateral: boolean;
}

/** A position as the protocol counts it at a block. */
export interface PlanPosition<Leg extends PlanLeg = PlanLeg> {
  legs: readonly Leg[];
  totalDebtRaw: bigint;
  /** Decimals of the totals. */
  priceDecimals: number;
  /** Wad; null without debt. */
  healthFactorRaw: bigint | null;
}

/** An amount of a leg. */
export interface LegAmount<Leg extends PlanLeg = PlanLeg> {
  leg: Leg;
  amountRaw: bigint;
}

export const WAD = 10n ** 18n;
export const BPS = 10_000n;

export const divideUp = (numerator: bigint, divisor: bigint): bigint => (numerator + divisor - 1n) / divisor;
export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Value of an amount of a leg's token in units of a total with `priceDecimals` decimals, rounded down. */
export function valueOf(leg: PlanLeg, amountRaw: bigint, priceDecimals: number): bigint {
  return (amountRaw * leg.priceRaw * 10n ** BigInt(priceDecimals)) / scaleOf(leg);
}

/** The least amount of a leg's token with this value. @throws RangeError for a token without a price */
export function amountOfValue(leg: PlanLeg, value: bigint, priceDecimals: number): bigint {
  if (leg.priceRaw <= 0n) throw new RangeError('The token has no price. Omit its leg.');
  return divideUp(value * scaleOf(leg), leg.priceRaw * 10n ** BigInt(priceDecimals));
}

/**
 * W, the collateral weighted by its thresholds, computed from the health factor and the debt. Exact if the
 * protocol divides the two.
 */
export function weightedCollateral({ healthFactorRaw, totalDebtRaw }: PlanPosition): bigint {
  return healthFactorRaw === null ? 0n : (healthFactorRaw * totalDebtRaw) / WAD;
}

/** A health factor from a double, as wad. It uses the decimal digits, not the bits. */
export function toWad(value: number): bigint {
  const [whole = '0', fraction = ''] = value.toFixed(18).split('.');
  return BigInt(whole) * WAD + BigInt(fraction);
}

/** Parts of a million of the target. */
const HEADROOM_PPM = 10n;
const MILLION = 1_000_000n;

/**
 * The target of a plan whose health factor must reach a given one: a hundred-thousandth above it. The debt
 * grows between the block that is read and the last transaction; at 10 % a year that takes 50 minutes to use
 * up the headroom.
 * @param targetRaw wad
 */
export function withHeadroom(targetRaw: bigint): bigint {
  return targetRaw + divideUp(targetRaw * HEADROOM_PPM, MILLION);
}

function scaleOf({ decimals, priceDecimals }: PlanLeg): bigint {
  return 10n ** BigInt(decimals + priceDecimals);
}

/** Whether two prices, or two health factors, agree within the tolerance. The second is the reference. */
export function agrees(value: bigint, reference: bigint, toleranceBps: bigint): boolean {
  if (reference === 0n) return value === 0n;
  const difference = value > reference ? value - reference : reference - value;
  return difference * BPS <= reference * toleranceBps;
}

/**
 * The loss of a swap of `amountIn` for `amountOut` (values by one oracle), basis points rounded up; 0 when it
 * gains.
 */
export function lossBps(valueIn: bigint, valueOut: bigint): bigint {
  if (valueIn === 0n || valueOut >= valueIn) return 0n;
  return ((valueIn - valueOut) * BPS + valueIn - 1n) / valueIn;
}
