import {
  lowerCase,
  planOf,
  type BlockRef,
  type CallResults,
  type PlanBuilder,
  type Slot,
} from '@plimsoll/evm';
import { type Address, parseAbi } from 'viem';
import { compoundUnderlying } from './math';
import { PER_SECOND, yearlyOf, type AssetRates, type RateUnit, type StatedRate } from '../reader/asset-rates';
import type { ReadScope } from '../reader/family';
import type { ReserveState } from '../reader/market-totals';
import type { Token } from '../reader/tokens';

const abi = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function totalBorrowsCurrent() view returns (uint256)',
  'function exchangeRateCurrent() view returns (uint256)',
  'function interestRateModel() view returns (address)',
  'function supplyRatePerBlock() view returns (uint256)',
  'function borrowRatePerBlock() view returns (uint256)',
  'function supplyRatePerTimestamp() view returns (uint256)',
  'function borrowRatePerTimestamp() view returns (uint256)',
  'function blocksOrSecondsPerYear() view returns (uint256)',
  'function blocksPerYear() view returns (uint256)',
]);

/**
 * The reserves, loans and rates of a market token. Rates are per block or per second. The token or its rate
 * model states their number per year. Without that, the rates are null.
 * @throws ChainReadError
 */
export async function readCompoundReserve(
  { row, multicall }: Pick<ReadScope, 'row' | 'multicall'>,
  market: Address,
  block: BlockRef,
): Promise<ReserveState> {
  const plan = planOf(row, 'reserve');
  const tokens = plan.call(market, abi, 'totalSupply', []);
  const exchangeRate = plan.call(market, abi, 'exchangeRateCurrent', []);
  const borrowed = plan.call(market, abi, 'totalBorrowsCurrent', []);
  const rates = addRates(plan, market);
  const { stated, ...held } = await multicall.read(
    plan.build((results) => ({
      suppliedRaw: compoundUnderlying(results.value(tokens), results.value(exchangeRate)),
      borrowedRaw: results.value(borrowed),
      stated: rates(results),
    })),
    block,
  );
  const [unit] = await unitsOf({ row, multicall }, [stated], block);
  const share = (rate: StatedRate | null): number | null => (rate && yearlyOf(rate.raw, unit!)?.apr) ?? null;
  return { ...held, supplyRate: share(stated.supply), borrowRate: share(stated.borrow) };
}

/** A market token with what it lends. */
interface LentMarket {
  market: Address;
  underlying: Token;
}

/** The rates of market tokens. A market that states none has null. @throws ChainReadError */
export async function readCompoundRates(
  scope: Pick<ReadScope, 'row' | 'multicall'>,
  markets: readonly LentMarket[],
  block: BlockRef,
): Promise<AssetRates[]> {
  const plan = planOf(scope.row, 'rates');
  const slots = markets.map(({ market }) => addRates(plan, market));
  const stated = await scope.multicall.read(
    plan.build((results) => slots.map((rates) => rates(results))),
    block,
  );
  const units = await unitsOf(scope, stated, block);
  return markets.map(({ market, underlying }, index) => ({
    // Several market tokens of a pool may lend the same token.
    subId: market,
    token: lowerCase(underlying.address),
    symbol: underlying.symbol,
    collateral: null,
    unit: units[index]!,
    supply: stated[index]!.supply,
    borrow: stated[index]!.borrow,
  }));
}

/** The rates of a market token, and what states how many of their periods a year has. */
interface TokenRates extends Pick<AssetRates, 'supply' | 'borrow'> {
  period: 'second' | 'block';
  periods: bigint | null;
  model: Address | null;
}

/** Rates are per block or per second. A token has the functions of one of them, or of both. */
function addRates(plan: PlanBuilder, market: Address): (results: CallResults) => TokenRates {
  const perSecond = {
    supply: plan.call(market, abi, 'supplyRatePerTimestamp', []),
    borrow: plan.call(market, abi, 'borrowRatePerTimestamp', []),
  };
  const perBlock = {
    supply: plan.call(market, abi, 'supplyRatePerBlock', []),
    borrow: plan.call(market, abi, 'borrowRatePerBlock', []),
  };
  const model = plan.call(market, abi, 'interestRateModel', []);
  const ownPeriods = plan.call(market, abi, 'blocksOrSecondsPerYear', []);
  return (results) => {
    const stated = (slot: Slot<bigint>, statedBy: string): StatedRate | null => {
      const raw = valueOr(results, slot, null);
      return raw === null ? null : { raw, statedBy };
    };
    const periods = valueOr(results, ownPeriods, null);
    const rateModel = valueOr(results, model, null);
    const supply = stated(perSecond.supply, 'supplyRatePerTimestamp');
    const borrow = stated(perSecond.borrow, 'borrowRatePerTimestamp');
    if (supply && borrow) return { supply, borrow, period: 'second', periods, model: rateModel };
    return {
      supply: stated(perBlock.supply, 'supplyRatePerBlock'),
      borrow: stated(perBlock.borrow, 'borrowRatePerBlock'),
      period: 'block',
      periods,
      model: rateModel,
    };
  };
}

/** The units of the rates. The token or its rate model states the number of blocks in a year. */
async function unitsOf(
  { row, multicall }: Pick<ReadScope, 'row' | 'multicall'>,
  rates: readonly TokenRates[],
  block: BlockRef,
): Promise<RateUnit[]> {
  const plan = planOf(row, 'rate models');
  const slots = rates.map(({ period, periods, model }) =>
    period === 'block' && periods === null && model !== null
      ? plan.call(model, abi, 'blocksPerYear', [])
      : null,
  );
  const blocks = await multicall.read(
    plan.build((results) => slots.map((slot) => slot && valueOr(results, slot, null))),
    block,
  );
  return rates.map(({ period, periods }, index) => {
    if (period === 'second') return PER_SECOND;
    const own = periods ?? blocks[index] ?? null;
    const perYear = own === null ? null : Number(own);
    // An isolated pool that accrues by time keeps the names of the functions by block.
    const unit = perYear === PER_SECOND.periodsPerYear ? 'second' : 'block';
    return { decimals: 18, period: unit, periodsPerYear: perYear, compoundsPerYear: perYear };
  });
}

function valueOr<T, E>({ outcome }: CallResults, slot: Slot<T>, otherwise: E): T | E {
  const result = outcome(slot);
  return result.ok ? result.value : otherwise;
}
