import type { Address } from 'viem';
import { compoundUnderlying } from './math';
import { WAD } from '../fixed-point/math';
import { bonusField } from '../reader/liquidation-bonus';
import type { RawLeg } from '../reader/raw-position';
import type { Token } from '../reader/tokens';

/** Decimals of the sums in dollars of protocols built on Compound v2. */
export const COMPOUND_VALUE_DECIMALS = 18;

/** The holdings and debts of a wallet in one market, with the market's prices. */
export interface PricedHolding {
  underlying: Token;
  tokens: bigint;
  borrowed: bigint;
  exchangeRate: bigint;
  price: bigint;
  threshold: bigint;
  /** The bonus of a liquidator who seizes this asset. 0: none, or not read. */
  bonusBps: bigint;
  entered: boolean;
}

/** The legs of a holding: none, one or both sides. */
export function compoundLegs(holding: PricedHolding, oracle: Address): RawLeg[] {
  const { underlying, tokens, borrowed, exchangeRate, price, threshold, bonusBps, entered } = holding;
  const common = { ...underlying, priceRaw: price, priceDecimals: 36 - underlying.decimals, oracle };
  const legs: RawLeg[] = [];
  if (tokens > 0n) {
    legs.push({
      ...common,
      side: 'collateral',
      amountRaw: compoundUnderlying(tokens, exchangeRate),
      scaledRaw: tokens,
      liquidationThresholdBps: threshold / 10n ** 14n,
      ...bonusField(bonusBps),
      usedAsCollateral: entered,
    });
  }
  if (borrowed > 0n) legs.push(debtLeg(common, borrowed));
  return legs;
}

/** VAI is owed to the protocol itself, which counts it as one dollar. */
export function vaiLegs(vaiController: Address | null, vaiDebt: bigint): RawLeg[] {
  if (!vaiController || vaiDebt === 0n) return [];
  const vai = { address: vaiController, symbol: 'VAI', decimals: 18 };
  return [
    debtLeg(
      { ...vai, priceRaw: WAD, priceDecimals: COMPOUND_VALUE_DECIMALS, oracle: vaiController },
      vaiDebt,
    ),
  ];
}

/** The protocol does not expose a principal, so the debt with interest is used instead. */
function debtLeg(
  common: Omit<RawLeg, 'side' | 'amountRaw' | 'scaledRaw' | 'liquidationThresholdBps' | 'usedAsCollateral'>,
  borrowed: bigint,
): RawLeg {
  return {
    ...common,
    side: 'debt',
    amountRaw: borrowed,
    scaledRaw: borrowed,
    scaledGrows: true,
    liquidationThresholdBps: 0n,
    usedAsCollateral: false,
  };
}
