import { PlanBuilder, readCall, type ReadPlan, lowerCase, subjectOf } from '@plimsoll/evm';
import { type Address, erc20Abi, zeroAddress } from 'viem';
import { RAY } from '../fixed-point/math';
import type { ReadScope } from '../reader/family';
import type { ReserveKey, ReserveState } from '../reader/reserve-state';
import type { AaveV3Market } from './market';

/** Plans the read of one reserve. Null if the market does not list the token. It serves v2 and v3. */
export function planReserve(
  { row }: ReadScope,
  { reserves }: AaveV3Market,
  { token }: ReserveKey,
): ReadPlan<ReserveState | null> {
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'reserve'));
  const reserve = reserves.find(({ address }) => lowerCase(address) === token);
  if (!reserve) return plan.build(() => null);
  const supplyOf = (address: Address) => plan.add(readCall(address, erc20Abi, 'totalSupply', []));
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
