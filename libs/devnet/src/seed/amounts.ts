import { STABLE_E_MODE, assetListing } from '../aave/assets';
import type { SeedPlan } from './plan';

/** An amount of an asset in its own units. */
export interface SeedAmount {
  symbol: string;
  amount: bigint;
}

/** The supplied and borrowed amounts of a wallet, in token units. */
export interface SeedAmounts {
  supplies: (SeedAmount & { asCollateral: boolean })[];
  borrows: (SeedAmount & { rate: 'variable' | 'stable' })[];
}

/** A dollar in the units of the devnet's prices. */
export const USD = 10n ** 8n;

const BPS = 10_000n;
const PPM = 1_000_000n;

/** Turns a plan into token amounts at the seeded prices that give the wallet its health factor. */
export function seedAmounts(plan: SeedPlan): SeedAmounts {
  const suppliedRaw = toPriceUnits(plan.suppliedUsd);
  const supplies = plan.supplies.map(({ symbol, share, asCollateral }) => ({
    symbol,
    asCollateral,
    amount: tokenAmount(symbol, (suppliedRaw * ppm(share)) / PPM),
  }));
  const weighted = supplies
    .filter(({ asCollateral }) => asCollateral)
    .reduce(
      (sum, { symbol, amount }) => sum + (usdValue(symbol, amount) * thresholdBps(symbol, plan.eMode)) / BPS,
      0n,
    );
  const debtRaw = plan.healthFactor === null ? 0n : (weighted * PPM) / ppm(plan.healthFactor);
  const borrows = plan.borrows.map(({ symbol, share, rate }) => ({
    symbol,
    rate,
    amount: tokenAmount(symbol, (debtRaw * ppm(share)) / PPM),
  }));
  return { supplies, borrows };
}

function thresholdBps(symbol: string, eMode: boolean): bigint {
  const listing = assetListing(symbol);
  return eMode && listing.eModeCategory === STABLE_E_MODE.id
    ? BigInt(STABLE_E_MODE.liquidationThresholdBps)
    : listing.liquidationThresholdBps;
}

function usdValue(symbol: string, amount: bigint): bigint {
  const { decimals, priceUsd } = assetListing(symbol);
  return (amount * priceUsd) / 10n ** BigInt(decimals);
}

/** Token units with the value `usdRaw` (USD with 8 decimals) at the seeded price, rounded down. */
export function tokenAmount(symbol: string, usdRaw: bigint): bigint {
  const { decimals, priceUsd } = assetListing(symbol);
  return (usdRaw * 10n ** BigInt(decimals)) / priceUsd;
}

const ppm = (ratio: number): bigint => BigInt(Math.round(ratio * 1_000_000));
const toPriceUnits = (usd: number): bigint => BigInt(Math.round(usd * 1e8));
