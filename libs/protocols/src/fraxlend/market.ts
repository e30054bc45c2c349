import {
  planOf,
  type BlockRef,
  PlanBuilder,
  type CallResults,
  contractOf,
  lowerCase,
  readAll,
} from '@plimsoll/evm';
import { type Address, parseAbi, zeroAddress } from 'viem';
import { fraxlendAccrued, type FraxlendTotal } from './math';
import type { ReadScope, RowScope } from '../reader/family';
import { readTokens, type Token } from '../reader/tokens';
import { addUsdPrice } from '../reader/usd-price';

export const fraxlendAbi = parseAbi([
  'function getAllPairAddresses() view returns (address[])',
  'function asset() view returns (address)',
  'function collateralContract() view returns (address)',
  'function maxLTV() view returns (uint256)',
  'function cleanLiquidationFee() view returns (uint256)',
  'function totalBorrow() view returns (uint128 amount, uint128 shares)',
  'function totalAsset() view returns (uint128 amount, uint128 shares)',
  'function totalCollateral() view returns (uint256)',
  'function previewAddInterest() view returns (uint256 interestEarned, uint256 feesAmount, uint256 feesShare)',
  'function addInterest() view returns (uint256 interestEarned, uint256 feesAmount, uint256 feesShare)',
  'function getUserSnapshot(address user) view returns (uint256 assetShares, uint256 borrowShares, uint256 collateral)',
  'function toBorrowAmount(uint256 shares, bool roundUp, bool previewInterest) view returns (uint256)',
]);

/** Pairs of the first version state amounts without the interest since the last addInterest(). */
export const firstVersionAbi = parseAbi([
  'function addInterest()',
  'function toBorrowAmount(uint256 shares, bool roundUp) view returns (uint256)',
  'function toAssetAmount(uint256 shares, bool roundUp) view returns (uint256)',
]);

/** Pairs from version 2 on return two rates, and liquidate at the lower one. */
export const twoRatesAbi = parseAbi([
  'function updateExchangeRate() view returns (bool isBorrowAllowed, uint256 low, uint256 high)',
]);

/** Pairs of the first version return one rate. */
export const oneRateAbi = parseAbi(['function updateExchangeRate() view returns (uint256)']);

interface PairTokens {
  asset: Token;
  collateral: Token;
}

/** The registry with its pairs. */
export interface FraxlendLayout {
  registry: Address;
  /** Null: the pair or one of its tokens cannot be read. */
  pairs: ReadonlyMap<Address, PairTokens | null>;
}

/** One pair at a block, its interest accrued. `exchangeRate` is the one at which it liquidates. */
export interface FraxlendPair extends PairTokens {
  maxLtv: bigint;
  /** The share that a liquidator of all debt receives above it, with 5 decimals. 0: not read. */
  liquidationFee: bigint;
  exchangeRate: bigint;
  /** Whether it states amounts with interest that is not added yet: all but the first version. */
  hasPreview: boolean;
  borrowed: FraxlendTotal;
  lent: FraxlendTotal;
  usdPerAssetRaw: bigint | null;
}

/** All pairs at a block. */
export interface FraxlendMarket {
  layout: FraxlendLayout;
  block: BlockRef;
  /** Pairs that cannot be read, or whose oracle fails, are omitted. */
  pairs: ReadonlyMap<Address, FraxlendPair>;
}

/** The pairs of the registry. @throws ChainReadError */
export async function readPairs(scope: RowScope, block: BlockRef): Promise<Address[]> {
  const pairs = await readAll(scope, 'registry', block, (plan) =>
    plan.call(contractOf(scope.row, 'registry'), fraxlendAbi, 'getAllPairAddresses', []),
  );
  return pairs.map(lowerCase);
}

/** @throws ChainReadError */
export async function readFraxlendLayout(scope: ReadScope, block: BlockRef): Promise<FraxlendLayout> {
  const { row, multicall } = scope;
  const registry = contractOf(row, 'registry');
  const addresses = await readPairs(scope, block);
  const plan = planOf(row, 'pairs');
  const slots = addresses.map((pair) => [
    plan.call(pair, fraxlendAbi, 'asset', []),
    plan.call(pair, fraxlendAbi, 'collateralContract', []),
  ]);
  const parts = await multicall.read(
    plan.build(({ outcome }) =>
      slots.flatMap((each) =>
        each.map((slot) => {
          const result = outcome(slot);
          return result.ok ? lowerCase(result.value) : zeroAddress;
        }),
      ),
    ),
    block,
  );
  const tokens = await readTokens(scope, parts, block);
  const pairs = addresses.map((pair, index): [Address, PairTokens | null] => {
    const [asset = null, collateral = null] = tokens.slice(2 * index, 2 * index + 2);
    return [pair, asset && collateral && { asset, collateral }];
  });
  return { registry, pairs: new Map(pairs) };
}

/** Null when a pair was added since the layout was read. @throws ChainReadError */
export async function readFraxlendMarket(
  { row, multicall, usdOracles }: ReadScope,
  layout: FraxlendLayout,
  block: BlockRef,
): Promise<FraxlendMarket | null> {
  const plan = planOf(row, 'pairs');
  const list = plan.call(layout.registry, fraxlendAbi, 'getAllPairAddresses', []);
  const slots = [...layout.pairs].flatMap(([pair, tokens]) =>
    tokens
      ? [
          {
            pair,
            tokens,
            maxLtv: plan.call(pair, fraxlendAbi, 'maxLTV', []),
            fee: plan.call(pair, fraxlendAbi, 'cleanLiquidationFee', []),
            totals: addTotals(plan, pair),
            rate: addExchangeRate(plan, pair),
            usd: addUsdPrice(plan, usdOracles, tokens.asset.address),
          },
        ]
      : [],
  );
  return multicall.read(
    plan.build((results) => {
      if (results.value(list).length !== layout.pairs.size) return null;
      const pairs = slots.flatMap(
        ({ pair, tokens, maxLtv, fee, totals, rate, usd }): [Address, FraxlendPair][] => {
          const [ltv, found, exchangeRate] = [results.outcome(maxLtv), totals(results), rate(results)];
          if (!ltv.ok || !found || exchangeRate === null) return [];
          const clean = results.outcome(fee);
          const liquidationFee = clean.ok ? clean.value : 0n;
          const usdPerAssetRaw = usd(results);
          return [
            [pair, { ...tokens, ...found, maxLtv: ltv.value, liquidationFee, exchangeRate, usdPerAssetRaw }],
          ];
        },
      );
      return { layout, block, pairs: new Map(pairs) };
    }),
    block,
  );
}

/**
 * The totals are read before addInterest(), whose effect later calls of the same multicall see. Pairs of the first
 * version have no preview, and their addInterest() returns the same three figures before the new rate. Source:
 * fraxlend, FraxlendPairCore.sol: addInterest of 6a69b17, previewAddInterest of 3314bd6.
 */
function addTotals(plan: PlanBuilder, pair: Address) {
  const borrowed = plan.call(pair, fraxlendAbi, 'totalBorrow', []);
  const lent = plan.call(pair, fraxlendAbi, 'totalAsset', []);
  const preview = plan.call(pair, fraxlendAbi, 'previewAddInterest', []);
  const accrued = plan.call(pair, fraxlendAbi, 'addInterest', []);
  return ({ outcome }: CallResults): Pick<FraxlendPair, 'borrowed' | 'lent' | 'hasPreview'> | null => {
    const [owed, supplied, previewed, added] = [
      outcome(borrowed),
      outcome(lent),
      outcome(preview),
      outcome(accrued),
    ];
    if (!owed.ok || !supplied.ok || !(previewed.ok || added.ok)) return null;
    const [interest, , feesShare] = previewed.ok ? previewed.value : added.ok ? added.value : [0n, 0n, 0n];
    const [[borrow, borrowShares], [asset, assetShares]] = [owed.value, supplied.value];
    const stored = {
      borrowed: { amount: borrow, shares: borrowShares },
      lent: { amount: asset, shares: assetShares },
    };
    return { hasPreview: previewed.ok, ...fraxlendAccrued(stored, interest, feesShare) };
  };
}

function addExchangeRate(plan: PlanBuilder, pair: Address): (results: CallResults) => bigint | null {
  const two = plan.call(pair, twoRatesAbi, 'updateExchangeRate', []);
  const one = plan.call(pair, oneRateAbi, 'updateExchangeRate', []);
  return ({ outcome }) => {
    const [rates, rate] = [outcome(two), outcome(one)];
    if (rates.ok) return rates.value[1];
    return rate.ok ? rate.value : null;
  };
}

// addInterest() and updateExchangeRate() store the values that they return. An eth_call returns the values
// that a liquidation in this block would use.
