import {
  type BlockRef,
  PlanBuilder,
  type CallResults,
  readCall,
  contractOf,
  lowerCase,
  subjectOf,
} from '@plimsoll/evm';
import type { Address } from 'viem';
import type { FraxlendTotal } from './math';
import type { ReadScope } from '../reader/family';
import { readTokens, type Token } from '../reader/tokens';
import { addUsdPrice } from '../reader/usd-price';
import { fraxlendAbi as abi, oneRateAbi, twoRatesAbi } from './abi';

interface PairTokens {
  asset: Token;
  collateral: Token;
}

/** The registry with its pairs. */
export interface FraxlendLayout {
  registry: Address;
  pairs: ReadonlyMap<Address, PairTokens>;
}

/** One pair at a block, its interest accrued. `exchangeRate` is the one at which it liquidates. */
export interface FraxlendPair extends PairTokens {
  maxLtv: bigint;
  exchangeRate: bigint;
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

/** @throws ChainReadError */
export async function readFraxlendLayout(scope: ReadScope, block: BlockRef): Promise<FraxlendLayout> {
  const { row, multicall } = scope;
  const registry = contractOf(row, 'registry');
  const entry = new PlanBuilder(row.chainId, subjectOf(row, 'registry'));
  const listSlot = entry.add(readCall(registry, abi, 'getAllPairAddresses', []));
  const addresses = await multicall.read(
    entry.build(({ value }) => value(listSlot).map(lowerCase)),
    block,
  );
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'pairs'));
  const slots = addresses.map((pair) => [
    plan.add(readCall(pair, abi, 'asset', [])),
    plan.add(readCall(pair, abi, 'collateralContract', [])),
  ]);
  const parts = await multicall.read(
    plan.build(({ value }) => slots.flatMap((each) => each.map((slot) => lowerCase(value(slot))))),
    block,
  );
  const tokens = await readTokens(scope, parts, block);
  const pairs = addresses.map((pair, index): [Address, PairTokens] => {
    const [asset, collateral] = tokens.slice(2 * index, 2 * index + 2);
    return [pair, { asset: asset!, collateral: collateral! }];
  });
  return { registry, pairs: new Map(pairs) };
}

/** Null when a pair was added since the layout was read. @throws ChainReadError */
export async function readFraxlendMarket(
  { row, multicall, usdOracles }: ReadScope,
  layout: FraxlendLayout,
  block: BlockRef,
): Promise<FraxlendMarket | null> {
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'pairs'));
  const list = plan.add(readCall(layout.registry, abi, 'getAllPairAddresses', []));
  const slots = [...layout.pairs].map(([pair, tokens]) => ({
    pair,
    tokens,
    maxLtv: plan.add(readCall(pair, abi, 'maxLTV', [])),
    totals: addTotals(plan, pair),
    rate: addExchangeRate(plan, pair),
    usd: addUsdPrice(plan, usdOracles, tokens.asset.address),
  }));
  return multicall.read(
    plan.build((results) => {
      if (results.value(list).length !== layout.pairs.size) return null;
      const pairs = slots.flatMap(
        ({ pair, tokens, maxLtv, totals, rate, usd }): [Address, FraxlendPair][] => {
          const [ltv, found, exchangeRate] = [results.outcome(maxLtv), totals(results), rate(results)];
          if (!ltv.ok || !found || !exchangeRate) return [];
          return [
            [pair, { ...tokens, ...found, maxLtv: ltv.value, exchangeRate, usdPerAssetRaw: usd(results) }],
          ];
        },
      );
      return { layout, block, pairs: new Map(pairs) };
    }),
    block,
  );
}

/**
 * The totals are read before addInterest(), whose effect later calls of the same multicall see. Pairs without
 * a preview of interest state its amount but not the part that is fees, so the lent amount excludes it.
 */
function addTotals(plan: PlanBuilder, pair: Address) {
  const borrowed = plan.add(readCall(pair, abi, 'totalBorrow', []));
  const lent = plan.add(readCall(pair, abi, 'totalAsset', []));
  const preview = plan.add(readCall(pair, abi, 'previewAddInterest', []));
  const accrued = plan.add(readCall(pair, abi, 'addInterest', []));
  return ({ outcome }: CallResults): Pick<FraxlendPair, 'borrowed' | 'lent'> | null => {
    const [owed, supplied, previewed, added] = [
      outcome(borrowed),
      outcome(lent),
      outcome(preview),
      outcome(accrued),
    ];
    if (!owed.ok || !supplied.ok || !(previewed.ok || added.ok)) return null;
    const [interest, , feesShare] = previewed.ok ? previewed.value : [0n, 0n, 0n];
    const due = previewed.ok ? interest : added.ok ? added.value : 0n;
    return {
      borrowed: { amount: owed.value[0] + due, shares: owed.value[1] },
      lent: { amount: supplied.value[0] + interest, shares: supplied.value[1] + feesShare },
    };
  };
}

function addExchangeRate(plan: PlanBuilder, pair: Address): (results: CallResults) => bigint | null {
  const two = plan.add(readCall(pair, twoRatesAbi, 'updateExchangeRate', []));
  const one = plan.add(readCall(pair, oneRateAbi, 'updateExchangeRate', []));
  return ({ outcome }) => {
    const [rates, rate] = [outcome(two), outcome(one)];
    if (rates.ok) return rates.value[1];
    return rate.ok ? rate.value : null;
  };
}
