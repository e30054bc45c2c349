import type { RawLeg, RawPosition } from '@plimsoll/protocols';
import { WAD_DECIMALS, toDouble } from './units';

type Totals = Pick<
  RawPosition,
  'legs' | 'totalCollateralRaw' | 'totalDebtRaw' | 'priceDecimals' | 'usdPerBaseRaw'
>;

/** Sums of positions in USD. */
export interface TotalsInUsd {
  /** The collateral of the debts, as the protocols count it. */
  totalCollateralUsd: number;
  totalDebtUsd: number;
  /** Collateral, and supplies that secure no debt. */
  totalSuppliedUsd: number;
  /** Supplied minus owed. */
  netWorthUsd: number;
}

/** An exact decimal: `raw` / 10^`decimals`. */
interface Decimal {
  raw: bigint;
  decimals: number;
}

const ZERO: Decimal = { raw: 0n, decimals: 0 };

/**
 * Sums of positions in any base currencies, exact until the conversion to doubles at the end. A leg with a market
 * price counts at that price.
 */
export function totalsInUsd(positions: readonly Totals[]): TotalsInUsd {
  const sum = (of: (position: Totals) => Decimal): Decimal => positions.map(of).reduce(plus, ZERO);
  const debt = sum(debtOf);
  const supplied = sum(suppliedOf);
  return {
    totalCollateralUsd: doubleOf(sum(collateralOf)),
    totalDebtUsd: doubleOf(debt),
    totalSuppliedUsd: doubleOf(supplied),
    netWorthUsd: doubleOf(plus(supplied, { ...debt, raw: -debt.raw })),
  };
}

/**
 * Supplied minus owed of a position, USD with 18 decimals, rounded toward zero. Null when a part of it has no dollar
 * price.
 */
export function netWorthUsdRaw(position: Totals): bigint | null {
  if (!isValued(position)) return null;
  const owed = debtOf(position);
  const { raw, decimals } = plus(suppliedOf(position), { ...owed, raw: -owed.raw });
  const excess = decimals - WAD_DECIMALS;
  return excess > 0 ? raw / 10n ** BigInt(excess) : raw * 10n ** BigInt(-excess);
}

/** Everything that a position supplies, USD. */
export function suppliedUsd(position: Totals): number {
  return doubleOf(suppliedOf(position));
}

/** The debt and the collateral of a position, USD. */
export function debtAndCollateralUsd(position: Totals): { debtUsd: number; collateralUsd: number } {
  return { debtUsd: doubleOf(debtOf(position)), collateralUsd: doubleOf(collateralOf(position)) };
}

/**
 * Whether all holdings and debts of the position have a dollar price, so that its figures in USD are
 * complete.
 */
export function isValued({ legs, usdPerBaseRaw }: Pick<Totals, 'legs' | 'usdPerBaseRaw'>): boolean {
  return (
    (usdPerBaseRaw ?? 0n) > 0n && legs.every(({ amountRaw, priceRaw }) => amountRaw === 0n || priceRaw > 0n)
  );
}

/** From the legs, because the protocols' own totals exclude supplies that secure no debt. */
function suppliedOf(position: Totals): Decimal {
  return position.legs
    .filter(({ side }) => side === 'collateral')
    .map((leg) => valueOf(leg, position))
    .reduce(plus, ZERO);
}

function debtOf(position: Totals): Decimal {
  const { totalDebtRaw: raw, priceDecimals: decimals } = position;
  return plus(
    inUsd({ raw, decimals }, position),
    corrections(position, ({ side }) => side === 'debt'),
  );
}

function collateralOf(position: Totals): Decimal {
  const { totalCollateralRaw: raw, priceDecimals: decimals } = position;
  return plus(
    inUsd({ raw, decimals }, position),
    corrections(position, (leg) => leg.usedAsCollateral),
  );
}

/** The difference that the market prices of some legs make to the protocol's own total. */
function corrections(position: Totals, counts: (leg: RawLeg) => boolean): Decimal {
  return position.legs
    .filter((leg) => leg.marketUsdRaw !== undefined && counts(leg))
    .map((leg) => {
      const { raw, decimals } = protocolValueOf(leg, position);
      return plus(valueOf(leg, position), { raw: -raw, decimals });
    })
    .reduce(plus, ZERO);
}

/** At the market price if the leg has one. */
function valueOf(leg: RawLeg, position: Totals): Decimal {
  const { amountRaw, decimals, marketUsdRaw } = leg;
  if (marketUsdRaw === undefined) return protocolValueOf(leg, position);
  return { raw: amountRaw * marketUsdRaw, decimals: decimals + WAD_DECIMALS };
}

function protocolValueOf(
  { amountRaw, priceRaw, decimals, priceDecimals }: RawLeg,
  position: Totals,
): Decimal {
  return inUsd({ raw: amountRaw * priceRaw, decimals: decimals + priceDecimals }, position);
}

function inUsd({ raw, decimals }: Decimal, { usdPerBaseRaw }: Totals): Decimal {
  return { raw: raw * (usdPerBaseRaw ?? 0n), decimals: decimals + WAD_DECIMALS };
}

function plus(a: Decimal, b: Decimal): Decimal {
  const decimals = Math.max(a.decimals, b.decimals);
  const scaled = (each: Decimal): bigint => each.raw * 10n ** BigInt(decimals - each.decimals);
  return { raw: scaled(a) + scaled(b), decimals };
}

function doubleOf({ raw, decimals }: Decimal): number {
  return toDouble(raw, decimals);
}
