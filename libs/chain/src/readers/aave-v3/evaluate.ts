import {
  RAY,
  isBorrowing,
  isUsingAsCollateral,
  type AaveV3Arithmetic,
  type AaveV3Holding,
} from '@plimsoll/protocol-math';
import type { Address } from 'viem';
import type { MarketRow } from '../../registry/registry';
import { positionBase } from '../position-base';
import type { RawLeg, RawPosition } from '../raw-position';
import type { AaveV3Account, AaveV3Balance } from './accounts';
import type { AaveV3EMode, AaveV3Market, AaveV3Reserve } from './market';
import { arithmeticOf, isExactRevision } from './revision';

interface HeldReserve {
  reserve: AaveV3Reserve;
  balance: AaveV3Balance;
  holding: AaveV3Holding;
  priceSource: Address;
}

/** The position of an account on a market as read; none when the account holds nothing. Pure. */
export function evaluateAccount(row: MarketRow, market: AaveV3Market, account: AaveV3Account): RawPosition[] {
  const { block, layout } = market;
  const held = market.reserves.flatMap((reserve) => {
    const balance = account.balances.get(reserve.id);
    return balance ? [holdReserve(market, account, reserve, balance)] : [];
  });
  if (held.length === 0) return [];
  const arithmetic = arithmeticOf(layout.revision);
  const totals = arithmetic.accountTotals(held.map(({ holding }) => holding));
  const position: RawPosition = {
    ...positionBase(row, block, account.wallet),
    legs: held.flatMap((one) => legsOf(one, layout.priceDecimals, arithmetic)),
    totalCollateralRaw: totals.totalCollateralBase,
    totalDebtRaw: totals.totalDebtBase,
    priceDecimals: layout.priceDecimals,
    usdPerBaseRaw: market.usdPerBaseRaw,
    healthFactorRaw: totals.healthFactor,
    isApproximate: !isExactRevision(layout.revision),
  };
  return [position];
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
  return {
    reserve,
    balance,
    priceSource: eModePrice?.source ?? reserve.priceSource,
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
      price: eModePrice?.value ?? reserve.price,
      unit: reserve.unit,
      liquidationThresholdBps: reserve.parameters.liquidationThresholdBps,
      eModeThresholdBps: inEMode ? eMode.liquidationThresholdBps : null,
    },
  };
}

function belongsTo(reserve: AaveV3Reserve, category: number, { collateralBitmap }: AaveV3EMode): boolean {
  if (collateralBitmap === null) return reserve.parameters.eModeCategory === category;
  return ((collateralBitmap >> BigInt(reserve.id)) & 1n) === 1n;
}

function legsOf(
  { reserve, balance, holding, priceSource }: HeldReserve,
  priceDecimals: number,
  arithmetic: AaveV3Arithmetic,
): RawLeg[] {
  const common = {
    symbol: reserve.symbol,
    address: reserve.address,
    decimals: reserve.parameters.decimals,
    priceRaw: holding.price,
    priceDecimals,
    oracle: priceSource,
  };
  const legs: RawLeg[] = [];
  if (balance.scaledSupply > 0n) {
    legs.push({
      ...common,
      side: 'collateral',
      amountRaw: arithmetic.supplyBalance(holding),
      scaledRaw: balance.scaledSupply,
      liquidationThresholdBps: arithmetic.effectiveThresholdBps(holding),
      usedAsCollateral: holding.usedAsCollateral,
      annualRate: yearly(reserve.liquidityRate),
    });
  }
  if (balance.scaledVariableDebt + balance.stableDebt.principal > 0n) {
    const variableDebt = arithmetic.variableDebtBalance(holding);
    const amountRaw = variableDebt + holding.stableDebt;
    const yearlyCost =
      variableDebt * reserve.variableBorrowRate + holding.stableDebt * balance.stableDebt.rate;
    legs.push({
      ...common,
      side: 'debt',
      amountRaw,
      scaledRaw: balance.scaledVariableDebt + balance.stableDebt.principal,
      liquidationThresholdBps: 0n,
      usedAsCollateral: false,
      annualRate: yearly(amountRaw === 0n ? reserve.variableBorrowRate : yearlyCost / amountRaw),
    });
  }
  return legs;
}

/** A rate in ray as a share. */
function yearly(rate: bigint): number {
  return Number(rate) / Number(RAY);
}
