import type { PositionV1 } from '@plimsoll/contracts';

/** One asset of a position in the integers of its contract. */
export interface StoredLeg {
  asset: string;
  address: string;
  side: 'collateral' | 'debt';
  amountRaw: string;
  /** The principal, which interest does not move. */
  scaledRaw: string;
  decimals: number;
  priceRaw: string;
  priceDecimals: number;
  /** Basis points; 0 on the debt side and for a supply that secures nothing. */
  thresholdBps: number;
  amount: number;
  /** The oracle price in dollars; 0: not known. */
  priceUsd: number;
}

/** A position as its contract reckons. */
export interface ContractFigures {
  /** Wad; null without debt. */
  healthFactorRaw: string | null;
  baseDecimals: number;
  /** False: no oracle of the chain prices the market in dollars. */
  isUsdKnown: boolean;
  legs: StoredLeg[];
}

export function contractFigures(event: PositionV1): ContractFigures {
  return {
    healthFactorRaw: event.healthFactorRaw,
    baseDecimals: event.baseDecimals,
    isUsdKnown: event.usdPerBaseRaw !== '0',
    legs: event.legs
      .filter(({ amountRaw }) => amountRaw !== '0')
      .map((leg) => ({
        asset: leg.asset,
        address: leg.address,
        side: leg.side,
        amountRaw: leg.amountRaw,
        scaledRaw: leg.scaledRaw,
        decimals: leg.decimals,
        priceRaw: leg.priceRaw,
        priceDecimals: leg.priceDecimals,
        thresholdBps: leg.usedAsCollateral ? leg.liquidationThresholdBps : 0,
        amount: leg.amount,
        priceUsd: leg.priceUsd ?? (leg.amount === 0 ? 0 : leg.usdValue / leg.amount),
      })),
  };
}

export function legsOf(figures: ContractFigures, side: StoredLeg['side']): StoredLeg[] {
  return figures.legs.filter((leg) => leg.side === side);
}

export const valueUsd = ({ amount, priceUsd }: Pick<StoredLeg, 'amount' | 'priceUsd'>): number =>
  amount * priceUsd;
