import { planOf, type Outcome, type ReadPlan, lowerCase } from '@plimsoll/evm';
import { maxUint256, type Address, parseAbi, zeroAddress, erc20Abi } from 'viem';
import { PER_YEAR_RAY, type AssetRates } from '../reader/asset-rates';
import type { ContractFigures, ReadScope } from '../reader/family';
import type { RawPosition } from '../reader/raw-position';
import { poolAbi } from './abi';
import type { AaveV3Market } from './market';
import {
  type MarketTotals,
  toUsd,
  totalsOf,
  type ReserveKey,
  type ReserveState,
} from '../reader/market-totals';
import { RAY } from '../fixed-point/math';

/** Plans the read of Pool.getUserAccountData for every position. */
export function planFigures(
  { row }: ReadScope,
  { layout: { pool } }: AaveV3Market,
  positions: readonly RawPosition[],
): ReadPlan<Outcome<ContractFigures>[]> {
  const plan = planOf(row, 'account data');
  const slots = positions.map(({ wallet }) => plan.call(pool, poolAbi, 'getUserAccountData', [wallet]));
  return plan.build(({ outcome }) =>
    slots.map((slot) => {
      const found = outcome(slot);
      return found.ok ? { ok: true, value: toFigures(found.value) } : found;
    }),
  );
}

function toFigures([totalCollateral, totalDebt, , , , healthFactor]: readonly bigint[]): ContractFigures {
  return {
    totalCollateral: totalCollateral ?? 0n,
    totalDebt: totalDebt ?? 0n,
    healthFactor: healthFactor === undefined || healthFactor === maxUint256 ? null : healthFactor,
  };
}

const supplyAbi = parseAbi(['function totalSupply() view returns (uint256)']);

/** Plans the read of a market's totals: the supply of every aToken and debt token, interest included (v2 as v3). */
export function planTotals(
  { row }: ReadScope,
  { reserves, layout, block, usdPerBaseRaw }: AaveV3Market,
): ReadPlan<MarketTotals | null> {
  const plan = planOf(row, 'totals');
  const slots = reserves.map((reserve) => {
    const debtTokens = [reserve.variableDebtToken, reserve.stableDebtToken].filter(
      (token): token is Address => token !== null && token !== zeroAddress,
    );
    return {
      reserve,
      supplied: plan.call(reserve.aToken, supplyAbi, 'totalSupply', []),
      borrowed: debtTokens.map((token) => plan.call(token, supplyAbi, 'totalSupply', [])),
    };
  });
  return plan.build(({ value }) => {
    if (usdPerBaseRaw === null) return null;
    const totals = slots.map(({ reserve, supplied, borrowed }) => {
      // A reserve without a price counts as zero, because its value is unknown.
      const usd = (amount: bigint): number =>
        toUsd((amount * (reserve.price ?? 0n)) / reserve.unit, layout.priceDecimals, usdPerBaseRaw);
      return {
        suppliedUsd: usd(value(supplied)),
        borrowedUsd: usd(borrowed.reduce((sum, slot) => sum + value(slot), 0n)),
      };
    });
    return totalsOf(totals, block.number);
  });
}

/** Plans the read of one reserve. Null if the market does not list the token. It serves v2 and v3. */
export function planReserve(
  { row }: ReadScope,
  { reserves }: AaveV3Market,
  { token }: ReserveKey,
): ReadPlan<ReserveState | null> {
  const plan = planOf(row, 'reserve');
  const reserve = reserves.find(({ address }) => lowerCase(address) === token);
  if (!reserve) return plan.build(() => null);
  const supplyOf = (address: Address) => plan.call(address, erc20Abi, 'totalSupply', []);
  const supplied = supplyOf(reserve.aToken);
  const debtTokens = [reserve.variableDebtToken, reserve.stableDebtToken].filter(
    (address): address is Address => address !== null && address !== zeroAddress,
  );
  const borrowed = debtTokens.map(supplyOf);
  return plan.build(({ value }) => ({
    suppliedRaw: value(supplied),
    borrowedRaw: borrowed.reduce((sum, slot) => sum + value(slot), 0n),
    supplyRate: Number(reserve.liquidityRate) / Number(RAY),
    borrowRate: Number(reserve.variableBorrowRate) / Number(RAY),
  }));
}

/** The rates of every reserve, as the pool stores them. It serves v2 and v3. */
export function reserveRates({ reserves }: AaveV3Market): AssetRates[] {
  return reserves.map(({ address, symbol, liquidityRate, variableBorrowRate }) => ({
    subId: '',
    token: lowerCase(address),
    symbol,
    collateral: null,
    unit: PER_YEAR_RAY,
    supply: { raw: liquidityRate, statedBy: 'getReserveData.currentLiquidityRate' },
    borrow: { raw: variableBorrowRate, statedBy: 'getReserveData.currentVariableBorrowRate' },
  }));
}
