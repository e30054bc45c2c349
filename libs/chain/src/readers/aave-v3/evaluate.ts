import {
  aaveV3AccountTotals,
  effectiveThresholdBps,
  isBorrowing,
  isUsingAsCollateral,
  stableDebtBalance,
  supplyBalance,
  variableDebtBalance,
  type AaveV3Holding,
} from '@plimsoll/protocol-math';
import type { Address } from 'viem';
import type { MarketRow } from '../../registry/registry';
import type { RawLeg, RawPosition } from '../raw-position';
import type { AaveV3Account, AaveV3Balance } from './accounts';
import type { AaveV3EMode, AaveV3Market, AaveV3Reserve } from './market';
import { isExactRevision } from './revision';

interface HeldReserve {
  reserve: AaveV3Reserve;
  balance: AaveV3Balance;
  holding: AaveV3Holding;
  priceSource: Address;
}

/** The position of an account on a market as read; null when the account holds nothing. Pure. */
export function evaluateAccount(
  row: MarketRow,
  market: AaveV3Market,
  account: AaveV3Account,
): RawPosition | null {
  const { block, layout } = market;
  const held = market.reserves.flatMap((reserve) => {
    const balance = account.balances.get(reserve.id);
    return balance ? [holdReserve(market, account, reserve, balance)] : [];
  });
  if (held.length === 0) return null;
  const totals = aaveV3AccountTotals(held.map(({ holding }) => holding));
  return {
    protocol: row.protocol,
    chainId: row.chainId,
    market: row.market,
    subId: '',
    wallet: account.wallet,
    legs: held.flatMap((one) => legsOf(one, layout.priceDecimals)),
    totalCollateralRaw: totals.totalCollateralBase,
    totalDebtRaw: totals.totalDebtBase,
    priceDecimals: layout.priceDecimals,
    healthFactorRaw: totals.healthFactor,
    blockNumber: block.number,
    blockHash: block.hash,
    blockTimestamp: block.timestamp,
    isApproximate: !isExactRevision(layout.revision),
  };
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
      stableDebt: stableDebtBalance(balance.stableDebt, market.block.timestamp),
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

function legsOf({ reserve, balance, holding, priceSource }: HeldReserve, priceDecimals: number): RawLeg[] {
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
      amountRaw: supplyBalance(holding),
      scaledRaw: balance.scaledSupply,
      liquidationThresholdBps: effectiveThresholdBps(holding),
      usedAsCollateral: holding.usedAsCollateral,
    });
  }
  if (balance.scaledVariableDebt + balance.stableDebt.principal > 0n) {
    legs.push({
      ...common,
      side: 'debt',
      amountRaw: variableDebtBalance(holding) + holding.stableDebt,
      scaledRaw: balance.scaledVariableDebt + balance.stableDebt.principal,
      liquidationThresholdBps: 0n,
      usedAsCollateral: false,
    });
  }
  return legs;
}
