import { RAY, WAD } from '../fixed-point/math';

/** x to the power n, both x and the result in ray, each step rounded half up (Jug._rpow of makerdao/dss). */
export function rayPow(x: bigint, n: bigint): bigint {
  if (x === 0n) return n === 0n ? RAY : 0n;
  const half = RAY / 2n;
  let result = n % 2n === 0n ? RAY : x;
  for (let [base, rest] = [x, n / 2n]; rest > 0n; rest /= 2n) {
    base = (base * base + half) / RAY;
    if (rest % 2n === 1n) result = (result * base + half) / RAY;
  }
  return result;
}

/** The parts of the stability fee of an ilk. Rates are in ray. */
export interface IlkFee {
  rate: bigint;
  /** Rate per second, added to `base`. */
  duty: bigint;
  base: bigint;
  /** Unix seconds of the last drip. */
  lastDrip: bigint;
}

/** The rate (ray) after a drip at this moment. Any account may call Jug.drip. */
export function ilkRate({ rate, duty, base, lastDrip }: IlkFee, timestamp: bigint): bigint {
  return (rayPow(base + duty, timestamp - lastDrip) * rate) / RAY;
}

/** A vault. Amounts have 18 decimals. */
export interface MakerUrn {
  ink: bigint;
  /** Debt over the rate. */
  art: bigint;
}

/**
 * The price (ray, in dollars) from which the spotter made an ilk's `spot`. Its last digits are lost there.
 * @param spot price over `par` and over `mat` @param mat the required ratio
 */
export function makerPrice(spot: bigint, mat: bigint, par: bigint): bigint {
  return (((spot * mat) / RAY) * par) / RAY;
}

/**
 * Value of the collateral (wad, rounded down), debt (wad, rounded up), and health factor (wad, rounded down). Below 1 the
 * Dog may bark. It is null without debt and without a spot, because bark requires spot > 0 and ink · spot < art · rate.
 * Source: makerdao/dss, dog.sol, bark.
 */
export function makerFigures(
  { ink, art }: MakerUrn,
  { spot, rate, price }: { spot: bigint; rate: bigint; price: bigint },
): { collateralValue: bigint; debt: bigint; healthFactor: bigint | null } {
  const owed = art * rate;
  return {
    collateralValue: (ink * price) / RAY,
    debt: (owed + RAY - 1n) / RAY,
    healthFactor: owed === 0n || spot === 0n ? null : (ink * spot * WAD) / owed,
  };
}
