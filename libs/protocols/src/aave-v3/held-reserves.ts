import type { Address } from 'viem';
import { isBorrowing, isUsingAsCollateral, type AaveV3Holding, arithmeticOf } from './math';
import type { AaveV3Account, AaveV3Balance } from './accounts';
import type { AaveV3EMode, AaveV3Market, AaveV3Reserve } from './market';

/** A reserve in which an account has a balance. */
export interface HeldReserve {
  reserve: AaveV3Reserve;
  balance: AaveV3Balance;
  /** Its price is 0 if none is known. */
  holding: AaveV3Holding;
  /** Null if its source fails. */
  price: bigint | null;
  priceSource: Address;
  /** For this wallet, its e-mode included. As in the configuration: 10,500 is a bonus of 5 %. */
  liquidationBonusBps: bigint;
}

/** The balances of the account, with the parameters of its e-mode. */
export function heldReserves(market: AaveV3Market, account: AaveV3Account): HeldReserve[] {
  return market.reserves.flatMap((reserve) => {
    const balance = account.balances.get(reserve.id);
    return balance ? [holdReserve(market, account, reserve, balance)] : [];
  });
}

function holdReserve(
  market: AaveV3Market,
  account: AaveV3Account,
  reserve: AaveV3Reserve,
  balance: AaveV3Balance,
): HeldReserve {
  const eMode = market.eModes.get(account.eModeCategory) ?? null;
  const inEMode = eMode !== null && belongsTo(reserve, account.eModeCategory, eMode);
  const eModePrice = inEMode ? eMode.price : null;
  const { value: price } = eModePrice ?? { value: reserve.price };
  return {
    reserve,
    balance,
    price,
    priceSource: eModePrice?.source ?? reserve.priceSource,
    liquidationBonusBps: inEMode ? eMode.liquidationBonusBps : reserve.parameters.liquidationBonusBps,
    holding: {
      scaledSupply: balance.scaledSupply,
      scaledVariableDebt: balance.scaledVariableDebt,
      stableDebt: arithmeticOf(market.layout.revision).stableDebtBalance(
        balance.stableDebt,
        market.block.timestamp,
      ),
      usedAsCollateral: isUsingAsCollateral(account.userConfiguration, reserve.id),
      borrowing: isBorrowing(account.userConfiguration, reserve.id),
      normalizedIncome: reserve.normalizedIncome,
      normalizedDebt: reserve.normalizedDebt,
      price: price ?? 0n,
      unit: reserve.unit,
      liquidationThresholdBps: reserve.parameters.liquidationThresholdBps,
      eModeThresholdBps: inEMode ? eMode.liquidationThresholdBps : null,
    },
  };
}

/** Whether a reserve is collateral of a category. */
export function belongsTo(
  reserve: AaveV3Reserve,
  category: number,
  { collateralBitmap }: AaveV3EMode,
): boolean {
  if (collateralBitmap === null) return reserve.parameters.eModeCategory === category;
  return ((collateralBitmap >> BigInt(reserve.id)) & 1n) === 1n;
}
