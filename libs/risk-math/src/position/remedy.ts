const WAD = 10n ** 18n;
const BPS = 10_000n;
/** Powers of ten by exponent, because one costs more than the rest of a value. */
const POWERS: readonly bigint[] = Array.from({ length: 128 }, (_, exponent) => 10n ** BigInt(exponent));
const tenTo = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent);

/**
 * The margin above the target for remedies of a contract whose rounding is not modelled, in parts of 10^9:
 * half of 1e-6.
 */
const SAFETY_PARTS = 500n;
const PARTS = 10n ** 9n;

/** One asset of a position in the integers of its contract. */
export interface RawLeg {
  amountRaw: bigint;
  decimals: number;
  /** Price of one whole token in the base currency of the market, with `priceDecimals`. */
  priceRaw: bigint;
  priceDecimals: number;
}

/** Collateral that counts towards the health factor. */
export interface RawCollateral extends RawLeg {
  liquidationThresholdBps: number;
}

/** A position in the integers of its contract. */
export interface RawPosition {
  collateral: readonly RawCollateral[];
  debt: readonly RawLeg[];
  /** The contract's own figure, wad. Null: it is unknown, and the sum over the legs counts. */
  healthFactorRaw: bigint | null;
  /** Decimals to which the contract rounds values in its base currency. Null: it does not round them. */
  baseDecimals: number | null;
}

export type RemedyAction = 'repay' | 'add_collateral';

/**
 * The rounding of the contract. `sum` over the legs without rounding. `truncated`, values in base units and
 * the average threshold in whole basis points. `scaled`, neither matches the contract's figure: the sum,
 * scaled to that figure.
 */
export type HealthModel = 'sum' | 'truncated' | 'scaled';

interface Sums {
  /** Value times basis points. */
  weighted: bigint;
  debt: bigint;
}

const scaleOf = ({ decimals, priceDecimals }: RawLeg): number => decimals + priceDecimals;

/** Value of a leg in units of 10^-scale of the base currency: exact. */
function exactValue(leg: RawLeg, scale: number): bigint {
  return leg.amountRaw * leg.priceRaw * tenTo(scale - scaleOf(leg));
}

function exactSums({ collateral, debt }: RawPosition): Sums {
  const scale = Math.max(0, ...[...collateral, ...debt].map(scaleOf));
  return {
    weighted: collateral.reduce(
      (sum, leg) => sum + exactValue(leg, scale) * BigInt(leg.liquidationThresholdBps),
      0n,
    ),
    debt: debt.reduce((sum, leg) => sum + exactValue(leg, scale), 0n),
  };
}

/** Value of a leg in base units, rounded down as contracts do. */
function baseValue(leg: RawLeg, baseDecimals: number): bigint {
  const shift = scaleOf(leg) - baseDecimals;
  const value = leg.amountRaw * leg.priceRaw;
  return shift >= 0 ? value / tenTo(shift) : value * tenTo(-shift);
}

function summedHealth(position: RawPosition): bigint | null {
  const { weighted, debt } = exactSums(position);
  return debt === 0n ? null : (weighted * WAD) / (debt * BPS);
}

/** Aave v3 before 3.6: percentMul rounds half up, wadDiv too. */
function truncatedHealth(position: RawPosition, baseDecimals: number): bigint | null {
  let collateral = 0n;
  let weighted = 0n;
  for (const leg of position.collateral) {
    const value = baseValue(leg, baseDecimals);
    collateral += value;
    weighted += value * BigInt(leg.liquidationThresholdBps);
  }
  const debt = position.debt.reduce((sum, leg) => sum + baseValue(leg, baseDecimals), 0n);
  if (debt === 0n) return null;
  const average = collateral === 0n ? 0n : weighted / collateral;
  const secured = (collateral * average + BPS / 2n) / BPS;
  return (secured * WAD + debt / 2n) / debt;
}

/** The rounding that matches the contract's figure. */
export function healthModelOf(position: RawPosition): HealthModel {
  const { healthFactorRaw, baseDecimals } = position;
  if (healthFactorRaw === null) return 'sum';
  if (baseDecimals !== null && truncatedHealth(position, baseDecimals) === healthFactorRaw)
    return 'truncated';
  return 'scaled';
}

/** The health factor (wad) by a model, as a function of a changed position. Null without debt. */
function healthBy(model: HealthModel, now: RawPosition): ((changed: RawPosition) => bigint | null) | null {
  if (model === 'sum') return summedHealth;
  if (model === 'truncated') return (changed) => truncatedHealth(changed, now.baseDecimals ?? 0);
  const summed = summedHealth(now);
  const exact = now.healthFactorRaw;
  if (summed === null || summed === 0n || exact === null) return null;
  return (changed) => {
    const health = summedHealth(changed);
    return health === null ? null : (health * exact) / summed;
  };
}

/** The position after `amountRaw` of one of its legs is repaid or added. */
export function remediedPosition(
  position: RawPosition,
  action: RemedyAction,
  leg: RawLeg,
  amountRaw: bigint,
): RawPosition {
  const change = action === 'repay' ? -amountRaw : amountRaw;
  const changed = <T extends RawLeg>(each: T): T =>
    each === leg ? { ...each, amountRaw: each.amountRaw + change } : each;
  return { ...position, collateral: position.collateral.map(changed), debt: position.debt.map(changed) };
}

/** The amount of one leg that reaches a target. */
export interface RemedyAmount {
  amountRaw: bigint;
  /** Health factor afterwards, wad. Null: no debt remains. */
  healthFactorRaw: bigint | null;
  model: HealthModel;
}

/**
 * The amount of one debt to repay, or of one collateral to add, that brings the health factor to the target.
 * The health factor is then at or above the target, and with one raw unit less below it. Amounts round up. It
 * is valid for the block of the position, without later interest. For a contract whose rounding is not
 * modelled (`scaled`), the amount aims 5e-7 above the target, so that the contract ends at most 1e-6 above it
 * and never below.
 * @param leg one of the position's own, by identity
 * @param target wad
 * @returns null when the target is reached already, the leg alone cannot reach it, or it has no price or
 * threshold
 */
export function remedyAmount(
  position: RawPosition,
  action: RemedyAction,
  leg: RawCollateral | RawLeg,
  target: bigint,
): RemedyAmount | null {
  const model = healthModelOf(position);
  const health = healthBy(model, position);
  if (health === null || leg.priceRaw === 0n) return null;
  const aim = model === 'scaled' ? target + (target * SAFETY_PARTS) / PARTS : target;
  const after = (amountRaw: bigint): bigint | null =>
    health(remediedPosition(position, action, leg, amountRaw));
  const isEnough = (amountRaw: bigint): boolean => {
    const healthFactor = after(amountRaw);
    return healthFactor === null || healthFactor >= aim;
  };
  const reached = position.healthFactorRaw ?? health(position);
  if (reached === null || reached >= target) return null;
  const most = action === 'repay' ? leg.amountRaw : mostToAdd(position, leg, isEnough);
  if (most === null || most <= 0n || !isEnough(most)) return null;
  const amountRaw = leastEnough(most, nearAmount(position, action, leg, reached, aim), isEnough);
  return { amountRaw, healthFactorRaw: after(amountRaw), model };
}

/** A sufficient amount of collateral. Null: no amount is sufficient. */
function mostToAdd(
  position: RawPosition,
  leg: RawLeg | RawCollateral,
  isEnough: (amountRaw: bigint) => boolean,
): bigint | null {
  if (!('liquidationThresholdBps' in leg) || leg.liquidationThresholdBps === 0) return null;
  // The amount for a threshold of the whole value is doubled until the real threshold is enough too.
  const { debt } = exactSums(position);
  const scale = Math.max(0, ...[...position.collateral, ...position.debt].map(scaleOf));
  let amountRaw = debt / exactValue({ ...leg, amountRaw: 1n }, scale) + 1n;
  for (let doublings = 0; doublings < 40; doublings += 1) {
    if (isEnough(amountRaw)) return amountRaw;
    amountRaw *= 2n;
  }
  return null;
}

/** The approximate amount between two health factors, without the rounding of the contract. */
function nearAmount(
  position: RawPosition,
  action: RemedyAction,
  leg: RawCollateral | RawLeg,
  reached: bigint,
  aim: bigint,
): bigint {
  const { debt } = exactSums(position);
  const scale = Math.max(0, ...[...position.collateral, ...position.debt].map(scaleOf));
  const unit = exactValue({ ...leg, amountRaw: 1n }, scale);
  if (action === 'repay') return (debt * (aim - reached)) / (aim * unit);
  const threshold = 'liquidationThresholdBps' in leg ? BigInt(leg.liquidationThresholdBps) : BPS;
  return (debt * (aim - reached) * BPS) / (WAD * threshold * unit);
}

/**
 * The least sufficient amount. 0 is not sufficient, and `most` is.
 * @param near the start of the search: the nearer, the fewer amounts are tried
 */
function leastEnough(most: bigint, near: bigint, isEnough: (amountRaw: bigint) => boolean): bigint {
  let low = 0n;
  let high = most;
  const clamped = near < 1n ? 1n : near > most ? most : near;
  const isAbove = isEnough(clamped);
  if (isAbove) high = clamped;
  else low = clamped;
  for (let step = 1n; high - low > 1n; step *= 16n) {
    const next = isAbove ? high - step : low + step;
    if (next <= low || next >= high) break;
    const isNextEnough = isEnough(next);
    if (isNextEnough) high = next;
    else low = next;
    if (isNextEnough !== isAbove) break;
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
