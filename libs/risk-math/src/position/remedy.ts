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

/** The scale at which every leg has an exact value. */
const commonScale = ({ collateral, debt }: RawPosition): number =>
  Math.max(0, ...collateral.map(scaleOf), ...debt.map(scaleOf));

/** Value of one raw unit of a leg in units of 10^-scale of the base currency: exact. */
const exactUnit = (leg: RawLeg, scale: number): bigint => leg.priceRaw * tenTo(scale - scaleOf(leg));

function exactSums({ collateral, debt }: RawPosition, scale: number): Sums {
  return {
    weighted: collateral.reduce(
      (sum, leg) => sum + leg.amountRaw * exactUnit(leg, scale) * BigInt(leg.liquidationThresholdBps),
      0n,
    ),
    debt: debt.reduce((sum, leg) => sum + leg.amountRaw * exactUnit(leg, scale), 0n),
  };
}

const exactHealth = ({ weighted, debt }: Sums): bigint | null =>
  debt === 0n ? null : (weighted * WAD) / (debt * BPS);

/** Value of an amount in base units, rounded down as contracts do. */
function baseValue(leg: RawLeg, amountRaw: bigint, baseDecimals: number): bigint {
  const shift = scaleOf(leg) - baseDecimals;
  const value = amountRaw * leg.priceRaw;
  return shift >= 0 ? value / tenTo(shift) : value * tenTo(-shift);
}

interface BaseSums extends Sums {
  collateral: bigint;
}

function baseSums({ collateral, debt }: RawPosition, baseDecimals: number): BaseSums {
  const sums = { collateral: 0n, weighted: 0n, debt: 0n };
  for (const leg of collateral) {
    const value = baseValue(leg, leg.amountRaw, baseDecimals);
    sums.collateral += value;
    sums.weighted += value * BigInt(leg.liquidationThresholdBps);
  }
  for (const leg of debt) sums.debt += baseValue(leg, leg.amountRaw, baseDecimals);
  return sums;
}

/** Aave v3 before 3.6: percentMul rounds half up, wadDiv too. */
function truncatedHealth({ collateral, weighted, debt }: BaseSums): bigint | null {
  if (debt === 0n) return null;
  const average = collateral === 0n ? 0n : weighted / collateral;
  const secured = (collateral * average + BPS / 2n) / BPS;
  return (secured * WAD + debt / 2n) / debt;
}

/** The rounding that matches the contract's figure. */
export function healthModelOf(position: RawPosition): HealthModel {
  const { healthFactorRaw, baseDecimals } = position;
  if (healthFactorRaw === null) return 'sum';
  if (baseDecimals !== null && truncatedHealth(baseSums(position, baseDecimals)) === healthFactorRaw)
    return 'truncated';
  return 'scaled';
}

type HealthAfter = (amountRaw: bigint) => bigint | null;

/**
 * The health factor (wad) after an amount of one leg is repaid or added, as a function of the amount. The
 * other legs are summed once, because the search tries many amounts. Null without debt.
 */
function healthAfter(
  model: HealthModel,
  position: RawPosition,
  action: RemedyAction,
  leg: RawCollateral | RawLeg,
): HealthAfter | null {
  const others = {
    ...position,
    collateral: position.collateral.filter((each) => each !== leg),
    debt: position.debt.filter((each) => each !== leg),
  };
  const bps = 'liquidationThresholdBps' in leg ? BigInt(leg.liquidationThresholdBps) : 0n;
  if (model === 'truncated') {
    const baseDecimals = position.baseDecimals ?? 0;
    const rest = baseSums(others, baseDecimals);
    return (amountRaw) => {
      if (action === 'repay') {
        const debt = rest.debt + baseValue(leg, leg.amountRaw - amountRaw, baseDecimals);
        return truncatedHealth({ ...rest, debt });
      }
      const value = baseValue(leg, leg.amountRaw + amountRaw, baseDecimals);
      const collateral = rest.collateral + value;
      return truncatedHealth({ collateral, weighted: rest.weighted + value * bps, debt: rest.debt });
    };
  }
  const scale = commonScale(position);
  const rest = exactSums(others, scale);
  const unit = exactUnit(leg, scale);
  const summed: HealthAfter = (amountRaw) =>
    action === 'repay'
      ? exactHealth({ weighted: rest.weighted, debt: rest.debt + (leg.amountRaw - amountRaw) * unit })
      : exactHealth({ weighted: rest.weighted + (leg.amountRaw + amountRaw) * unit * bps, debt: rest.debt });
  if (model === 'sum') return summed;
  const now = summed(0n);
  const exact = position.healthFactorRaw;
  if (now === null || now === 0n || exact === null) return null;
  return (amountRaw) => {
    const health = summed(amountRaw);
    return health === null ? null : (health * exact) / now;
  };
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
  if (leg.priceRaw === 0n) return null;
  const after = healthAfter(model, position, action, leg);
  if (after === null) return null;
  const aim = model === 'scaled' ? target + (target * SAFETY_PARTS) / PARTS : target;
  const isEnough = (amountRaw: bigint): boolean => {
    const healthFactor = after(amountRaw);
    return healthFactor === null || healthFactor >= aim;
  };
  const reached = position.healthFactorRaw ?? after(0n);
  if (reached === null || reached >= target) return null;
  const scale = commonScale(position);
  const { debt } = exactSums(position, scale);
  const unit = exactUnit(leg, scale);
  const most = action === 'repay' ? leg.amountRaw : mostToAdd(debt / unit + 1n, leg, isEnough);
  if (most === null || most <= 0n || !isEnough(most)) return null;
  const near = nearAmount(debt, unit, action, leg, { reached, aim });
  const amountRaw = leastEnough(most, near, isEnough);
  return { amountRaw, healthFactorRaw: after(amountRaw), model };
}

/**
 * A sufficient amount of collateral. Null: no amount is sufficient.
 * @param first the amount for a threshold of the whole value; it is doubled until the real threshold is enough
 */
function mostToAdd(
  first: bigint,
  leg: RawLeg | RawCollateral,
  isEnough: (amountRaw: bigint) => boolean,
): bigint | null {
  if (!('liquidationThresholdBps' in leg) || leg.liquidationThresholdBps === 0) return null;
  let amountRaw = first;
  for (let doublings = 0; doublings < 40; doublings += 1) {
    if (isEnough(amountRaw)) return amountRaw;
    amountRaw *= 2n;
  }
  return null;
}

/** The approximate amount between two health factors, without the rounding of the contract. */
function nearAmount(
  debt: bigint,
  unit: bigint,
  action: RemedyAction,
  leg: RawCollateral | RawLeg,
  { reached, aim }: { reached: bigint; aim: bigint },
): bigint {
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
