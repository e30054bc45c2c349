import type { RawPosition } from '@plimsoll/protocols';
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

/** Sums of positions in any base currencies, exact until the conversion to doubles at the end. */
export function totalsInUsd(positions: readonly Totals[]): TotalsInUsd {
  const sum = (of: (position: Totals) => Decimal): Decimal =>
    positions.map((position) => inUsd(of(position), position)).reduce(plus, ZERO);
  const debt = sum(({ totalDebtRaw: raw, priceDecimals: decimals }) => ({ raw, decimals }));
  const supplied = sum(suppliedOf);
  return {
    totalCollateralUsd: doubleOf(
      sum(({ totalCollateralRaw: raw, priceDecimals: decimals }) => ({ raw, decimals })),
    ),
    totalDebtUsd: doubleOf(debt),
    totalSuppliedUsd: doubleOf(supplied),
    netWorthUsd: doubleOf(plus(supplied, { ...debt, raw: -debt.raw })),
  };
}

/** Everything that a position supplies, USD. */
export function suppliedUsd(position: Totals): number {
  return doubleOf(inUsd(suppliedOf(position), position));
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

/** In the base currency, because the protocols' own totals exclude supplies that secure no debt. */
function suppliedOf({ legs }: Totals): Decimal {
  return legs
    .filter(({ side }) => side === 'collateral')
    .map(({ amountRaw, priceRaw, decimals, priceDecimals }) => ({
      raw: amountRaw * priceRaw,
      decimals: decimals + priceDecimals,
    }))
    .reduce(plus, ZERO);
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
