import type { BlockRef, ChainReadCode, MarketRow } from '@plimsoll/evm';
import type { Address } from 'viem';
import { shownPrice } from '../legs-math';
import { bonusField } from './liquidation-bonus';
import type { RawLeg, RawPosition } from './raw-position';
import type { Token } from './tokens';
import { verificationOf } from './verification';

/** A token with its price by the protocol's own oracle. */
export interface PricedToken
  extends Token, Pick<RawLeg, 'priceRaw' | 'priceDecimals' | 'oracle' | 'marketUsdRaw'> {}

const ONE_DOLLAR = { priceRaw: 10n ** 18n, priceDecimals: 18 } as const;

/**
 * A token that the protocol counts at one dollar, whatever its market price is.
 * @param marketUsd its market price in dollars, wad; null if no oracle of the chain knows it
 */
export function dollarToken(token: Token, oracle: Address, marketUsd: bigint | null): PricedToken {
  return { ...token, oracle, ...ONE_DOLLAR, ...(marketUsd !== null && { marketUsdRaw: marketUsd }) };
}

/** The amount with interest, and as the protocol stores it. */
export interface LegAmount {
  amountRaw: bigint;
  /** Default: the amount, if the protocol stores no separate principal. */
  scaledRaw?: bigint;
  annualRate?: number;
}

/** A supply that secures debt, with its threshold, and the liquidator's bonus if it is read. */
export function collateralLeg(
  token: PricedToken,
  amount: LegAmount,
  thresholdBps: bigint,
  bonusBps = 0n,
): RawLeg {
  return {
    ...legOf(token, amount),
    ...bonusField(bonusBps),
    side: 'collateral',
    liquidationThresholdBps: thresholdBps,
    usedAsCollateral: true,
  };
}

/** A supply that is not collateral. */
export function lentLeg(token: PricedToken, amount: LegAmount): RawLeg {
  return { ...legOf(token, amount), ...NO_COLLATERAL, side: 'collateral' };
}

/** The debt leg of a protocol that shows debt only with interest. */
export function growingDebtLeg(token: PricedToken, amountRaw: bigint): RawLeg {
  return { ...debtLeg(token, { amountRaw }), scaledGrows: true };
}

/** A debt leg. */
export function debtLeg(token: PricedToken, amount: LegAmount): RawLeg {
  return { ...legOf(token, amount), ...NO_COLLATERAL, side: 'debt' };
}

const NO_COLLATERAL = { liquidationThresholdBps: 0n, usedAsCollateral: false } as const;

function legOf(
  { address, symbol, decimals, priceRaw, priceDecimals, oracle, marketUsdRaw }: PricedToken,
  { amountRaw, scaledRaw = amountRaw, annualRate }: LegAmount,
) {
  const rate = annualRate === undefined ? {} : { annualRate };
  const market = marketUsdRaw === undefined ? {} : { marketUsdRaw };
  return {
    address,
    symbol,
    decimals,
    priceRaw,
    priceDecimals,
    oracle,
    ...market,
    amountRaw,
    scaledRaw,
    ...rate,
  };
}

/** Converts a price of any precision to the form in legs: with at most 36 decimals, and at least none. */
export function basePrice(priceRaw: bigint, decimals: number): { priceRaw: bigint; priceDecimals: number } {
  const { price, priceDecimals } = shownPrice(priceRaw, decimals);
  return { priceRaw: price, priceDecimals };
}

const SECONDS_PER_YEAR = 365 * 86_400;

/** A rate a second (wad) as a share a year, 0.05 being 5 %. */
export function yearlyRate(perSecond: bigint): number {
  return (Number(perSecond) / 1e18) * SECONDS_PER_YEAR;
}

/** A position that may exist and could not be read. */
export function unreadablePosition(
  row: MarketRow,
  block: BlockRef,
  wallet: Address,
  subId = '',
  reason: ChainReadCode = 'call_failed',
): RawPosition {
  return {
    ...positionBase(row, block, wallet, subId),
    legs: [],
    totalCollateralRaw: 0n,
    totalDebtRaw: 0n,
    priceDecimals: 0,
    usdPerBaseRaw: null,
    healthFactorRaw: null,
    unreadable: reason,
  };
}

/** The identity and block of a position: the fields that every family fills in the same way. */
export function positionBase(
  row: MarketRow,
  block: BlockRef,
  wallet: Address,
  subId = '',
): Pick<
  RawPosition,
  | 'protocol'
  | 'chainId'
  | 'market'
  | 'subId'
  | 'wallet'
  | 'flags'
  | 'blockNumber'
  | 'blockHash'
  | 'blockTimestamp'
  | 'verification'
> {
  return {
    protocol: row.protocol,
    chainId: row.chainId,
    market: row.market,
    subId,
    wallet,
    flags: [],
    blockNumber: block.number,
    blockHash: block.hash,
    blockTimestamp: block.timestamp,
    verification: verificationOf(row.family).evaluated,
  };
}
