import type { PositionV1 } from '@plimsoll/contracts';

/** One asset of a position in the integers of its contract. */
export interface StoredLeg {
  asset: string;
  address: string;
  side: 'collateral' | 'debt';
  amountRaw: string;
  /** The principal. Interest does not change it. */
  scaledRaw: string;
  decimals: number;
  priceRaw: string;
  priceDecimals: number;
  /** Basis points. 0 for a debt and for a supply that is not collateral. */
  thresholdBps: number;
  amount: number;
  /** Oracle price in USD. 0 when unknown. */
  priceUsd: number;
}

/** A position in the contract's own figures. */
export interface ContractFigures {
  /** Wad. Null without debt. */
  healthFactorRaw: string | null;
  baseDecimals: number;
  /** False when no oracle of the chain prices the market in USD. */
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
