import { planOf, type BlockRef, type CallResults, type Slot } from '@plimsoll/evm';
import { type Address, parseAbi } from 'viem';
import { WAD } from '../fixed-point/math';
import { compoundUnderlying } from './math';
import type { ReadScope } from '../reader/family';
import type { ReserveState } from '../reader/market-totals';

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
const SECONDS_PER_YEAR = 365 * 86_400;

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
  const model = plan.call(market, abi, 'interestRateModel', []);
  const perBlock = {
    supply: plan.call(market, abi, 'supplyRatePerBlock', []),
    borrow: plan.call(market, abi, 'borrowRatePerBlock', []),
  };
  const perSecond = {
    supply: plan.call(market, abi, 'supplyRatePerTimestamp', []),
    borrow: plan.call(market, abi, 'borrowRatePerTimestamp', []),
  };
  const ownPeriods = plan.call(market, abi, 'blocksOrSecondsPerYear', []);
  const read = await multicall.read(
    plan.build((results) => ({
      suppliedRaw: compoundUnderlying(results.value(tokens), results.value(exchangeRate)),
      borrowedRaw: results.value(borrowed),
      model: valueOr(results, model, null),
      perBlock: ratesOf(results, perBlock),
      perSecond: ratesOf(results, perSecond),
      periods: valueOr(results, ownPeriods, null),
    })),
    block,
  );
  const { suppliedRaw, borrowedRaw, perBlock: blockRates, perSecond: secondRates, model: rateModel } = read;
  const held = { suppliedRaw, borrowedRaw };
  if (secondRates) return { ...held, ...yearly(secondRates, SECONDS_PER_YEAR) };
  const periods = read.periods ?? (rateModel && (await blocksPerYear({ row, multicall }, rateModel, block)));
  return blockRates && periods
    ? { ...held, ...yearly(blockRates, Number(periods)) }
    : { ...held, supplyRate: null, borrowRate: null };
}

interface PeriodRates {
  supply: bigint;
  borrow: bigint;
}

async function blocksPerYear(
  { row, multicall }: Pick<ReadScope, 'row' | 'multicall'>,
  model: Address,
  block: BlockRef,
): Promise<bigint | null> {
  const plan = planOf(row, 'rate model');
  const blocks = plan.call(model, abi, 'blocksPerYear', []);
  return multicall.read(
    plan.build((results) => valueOr(results, blocks, null)),
    block,
  );
}

function ratesOf(
  results: CallResults,
  { supply, borrow }: { supply: Slot<bigint>; borrow: Slot<bigint> },
): PeriodRates | null {
  const [paid, charged] = [valueOr(results, supply, null), valueOr(results, borrow, null)];
  return paid === null || charged === null ? null : { supply: paid, borrow: charged };
}

function valueOr<T, E>({ outcome }: CallResults, slot: Slot<T>, otherwise: E): T | E {
  const result = outcome(slot);
  return result.ok ? result.value : otherwise;
}

/** The yearly rate without compounding, as the protocol's own rate models count a year. */
function yearly(
  { supply, borrow }: PeriodRates,
  periods: number,
): Pick<ReserveState, 'supplyRate' | 'borrowRate'> {
  const share = (rate: bigint): number => (Number(rate) * periods) / Number(WAD);
  return { supplyRate: share(supply), borrowRate: share(borrow) };
}
