import type { MarketRow } from '@plimsoll/evm';
import { positionBase } from '../reader/legs';
import { RAY } from '../fixed-point/math';
import { type AaveV3Arithmetic, arithmeticOf, isExactRevision } from './math';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import type { AaveV3Account } from './accounts';
import { eModeChoices } from './e-mode-choices';
import { type HeldReserve, heldReserves } from './held-reserves';
import type { AaveV3Market } from './market';

const ALL_BPS = 10_000n;

/**
 * The position of an account on a market. None when the account holds nothing. Null if it needs a price that cannot be read: the
 * pool reads those of collateral and debts, and no others (GenericLogic.calculateUserAccountData). Pure.
 */
export function evaluateAccount(
  row: MarketRow,
  market: AaveV3Market,
  account: AaveV3Account,
): RawPosition[] | null {
  const { block, layout } = market;
  const held = heldReserves(market, account);
  if (held.length === 0) return [];
  if (held.some(needsMissingPrice)) return null;
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
    ...(!isExactRevision(layout.revision) && { verification: 'approximate' as const }),
  };
  const eModes = eModeChoices(market, account, totals.healthFactor);
  return [eModes.length > 0 ? { ...position, eModes } : position];
}

function needsMissingPrice({ price, holding }: HeldReserve): boolean {
  return price === null && (holding.usedAsCollateral || holding.borrowing);
}

function legsOf(
  { reserve, balance, holding, priceSource, liquidationBonusBps }: HeldReserve,
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
      ...(liquidationBonusBps > ALL_BPS && { liquidationBonusBps: liquidationBonusBps - ALL_BPS }),
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
