import type { CallResults, PlanBuilder } from '@plimsoll/evm';
import { parseAbi, type Address } from 'viem';
import { WAD } from '../fixed-point/math';

const oracleAbi = parseAbi([
  'function BASE_CURRENCY_UNIT() view returns (uint256)',
  'function getAssetPrice(address asset) view returns (uint256)',
]);
const venusAbi = parseAbi([
  'function getPrice(address asset) view returns (uint256)',
  'function decimals() view returns (uint8)',
]);

/** A contract that prices tokens in dollars: an oracle of Aave v3, or the resilient oracle of Venus. */
export type UsdOracle = Address | { venus: Address };

/**
 * Adds the reads of a token's price in dollars (wad for one whole token): the first of the chain's oracles
 * that knows it. Null if none does.
 */
export function addUsdPrice(
  plan: PlanBuilder,
  usdOracles: readonly UsdOracle[],
  token: Address,
): (results: CallResults) => bigint | null {
  const prices = usdOracles.map((oracle) =>
    typeof oracle === 'string' ? addAavePrice(plan, oracle, token) : addVenusPrice(plan, oracle.venus, token),
  );
  return (results) => {
    for (const price of prices) {
      const known = price(results);
      if (known !== null && known > 0n) return known;
    }
    return null;
  };
}

function addAavePrice(plan: PlanBuilder, oracle: Address, token: Address) {
  const slots = {
    unit: plan.call(oracle, oracleAbi, 'BASE_CURRENCY_UNIT', []),
    price: plan.call(oracle, oracleAbi, 'getAssetPrice', [token]),
  };
  return ({ outcome }: CallResults): bigint | null => {
    const [unit, price] = [outcome(slots.unit), outcome(slots.price)];
    return unit.ok && price.ok && unit.value > 0n ? (price.value * WAD) / unit.value : null;
  };
}

/** Its price of one smallest unit has 36 decimals. Source: @venusprotocol/oracle, ResilientOracle.sol, ChainlinkOracle.sol. */
function addVenusPrice(plan: PlanBuilder, oracle: Address, token: Address) {
  const slots = {
    price: plan.call(oracle, venusAbi, 'getPrice', [token]),
    decimals: plan.call(token, venusAbi, 'decimals', []),
  };
  return ({ outcome }: CallResults): bigint | null => {
    const [price, decimals] = [outcome(slots.price), outcome(slots.decimals)];
    return price.ok && decimals.ok ? (price.value * 10n ** BigInt(decimals.value)) / WAD : null;
  };
}

/**
 * The largest distance between a stablecoin's price and the protocol's own feed at which both count as
 * dollars.
 */
const MAX_SPREAD_BPS = 2_000n;

/**
 * Dollars (wad) for one unit of the currency of a protocol's feeds. It compares an asset that both the
 * protocol and a dollar oracle price: a feed with about the same price is in dollars.
 * @param usd dollar price of the asset, wad; null if no oracle knows it
 * @param own the protocol's price of the asset, with `decimals`
 * @param isUsdFeed whether the feed's description says that it is in dollars
 */
export function usdPerBase(
  usd: bigint | null,
  own: bigint,
  decimals: number,
  isUsdFeed: boolean,
): bigint | null {
  if (isUsdFeed) return WAD;
  if (usd === null || own === 0n) return null;
  const ratio = (usd * 10n ** BigInt(decimals)) / own;
  const spread = ratio > WAD ? ratio - WAD : WAD - ratio;
  return spread * 10_000n < WAD * MAX_SPREAD_BPS ? WAD : ratio;
}
